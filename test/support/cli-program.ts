import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundledProgram } from "./bundled-program.ts";

const BUILT = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));

/**
 * Arguments of node that run the command: a bundle of its sources, or where `TEST_BUILT=1` is set what
 * `npm run build` made of them.
 */
export const CLI_PROGRAM: readonly string[] =
  process.env["TEST_BUILT"] === "1" ? [BUILT] : [join(await bundledProgram(), "cli.js")];
