import { fileURLToPath } from "node:url";

const TSX = fileURLToPath(import.meta.resolve("tsx"));
const SOURCE = fileURLToPath(new URL("../../cli.ts", import.meta.url));
const BUILT = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));

/**
 * Arguments of node that run the command: from its source, or where `TEST_BUILT=1` is set what
 * `npm run build` made of it, which starts a second sooner.
 */
export const CLI_PROGRAM: readonly string[] =
  process.env["TEST_BUILT"] === "1" ? [BUILT] : ["--import", TSX, SOURCE];
