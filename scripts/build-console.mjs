import { fileURLToPath } from "node:url";
import { holdBudgets } from "./console-budgets.mjs";
import { buildConsole, compressFiles } from "./console-build.mjs";

/** `npm run build:console`, a part of `npm run build`: the pages of the web console in `dist/console`. */
const OUT = fileURLToPath(new URL("../dist/console", import.meta.url));

holdBudgets(await buildConsole(OUT));
await compressFiles(OUT);
