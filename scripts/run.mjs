import { fileURLToPath, pathToFileURL } from "node:url";
import { bundleScript } from "./bundle.mjs";

/**
 * `node scripts/run.mjs simulators/main.ts ...`: runs a script of the repository from a bundle of its sources, which is
 * made when they have changed. It starts with a third of the CPU that tsx takes, and so do its threads.
 */
const [entry, ...args] = process.argv.slice(2);
if (entry === undefined) throw new Error("which script? A path below the root");
const file = await bundleScript(entry);
process.argv = [process.execPath, fileURLToPath(new URL(`../${entry}`, import.meta.url)), ...args];
await import(pathToFileURL(file).href);
