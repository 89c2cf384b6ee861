/**
 * Runs every command of the README and of the pages in `docs/`, as they stand there, each page in a shell of its own
 * and against a service with nothing in it. An answer that is not a success is a failure. What needs a server or a machine of
 * its own is left out by name.
 *
 *   npm run test:docs -- [page ...]                default: every page with commands
 *   npm run test:docs -- --without page ...        every page with commands but these
 */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inTurns } from "../../support/in-turns.ts";
import { PageServices } from "./page-services.ts";
import { PAGES } from "./pages.ts";
import { type CommandResult, runPage } from "./run-page.ts";
import { shellBlocksOf } from "./shell-blocks.ts";

const ROOT = new URL("../../../", import.meta.url);

/** Every page of the repository that has commands. */
function pagesWithCommands(): readonly string[] {
  const docs = readdirSync(new URL("docs", ROOT), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md") && !file.startsWith("decisions/"))
    .map((file) => `docs/${file}`)
    .sort();
  return ["README.md", "CONTRIBUTING.md", "SECURITY.md", ...docs].filter(
    (page) => shellBlocksOf(page, ROOT).length > 0,
  );
}

const firstLine = (text: string): string => text.split("\n")[0] ?? "";

function print({ at, text, state, detail }: CommandResult): void {
  if (state === "ran") console.log(`ok   ${at}  ${firstLine(text).slice(0, 100)}`);
  else if (state === "left out")
    console.log(`left out   ${at}  ${firstLine(text).slice(0, 60)}: ${detail}`);
  else console.log(`FAIL ${at}  ${state}: ${text}\n${detail}`);
}

const [first, ...rest] = process.argv.slice(2);
const asked = first === undefined || first === "--without" ? pagesWithCommands() : [first, ...rest];
const without = first === "--without" ? rest : [];
const unknown = [...Object.keys(PAGES), ...without].filter(
  (page) => !pagesWithCommands().includes(page),
);
if (unknown.length > 0) throw new Error(`no commands in ${unknown.join(", ")}: see pages.ts`);
const pages = asked.filter((page) => !without.includes(page));

/** Pages wait for their services and for streams that have no end: two at a time keep two cores busy. */
const AT_ONCE = 2;

let ran = 0;
let failed = 0;
let leftOut = 0;
const services = new PageServices();
const simulated = mkdtempSync(join(tmpdir(), "plumbline-docs-simulated-"));
await inTurns(pages, AT_ONCE, async (page) => {
  const startMs = performance.now();
  const results = await runPage(page, PAGES[page] ?? {}, services, simulated).catch(
    (error: unknown): readonly CommandResult[] => [
      { at: page, text: "runs to its end", state: "failed", detail: String(error) },
    ],
  );
  for (const result of results) {
    print(result);
    if (result.state === "ran") ran++;
    else if (result.state === "left out") leftOut++;
    else failed++;
  }
  console.log(`${page}: ${((performance.now() - startMs) / 1_000).toFixed(0)} s`);
});
await services.close();
rmSync(simulated, { recursive: true });
console.log(`\n${leftOut} commands left out by name`);
console.log(`${ran} passed, ${failed} failed`);
process.exit(failed === 0 && ran > 0 ? 0 : 1);
