/**
 * Processor time of a unit of each hot path (`bench/unit-costs.ts`) beside that of an earlier commit: both checkouts
 * in turns, each goes first as often, so that what else the machine does changes both alike.
 *
 *   tsx bench/paired.ts [--before HEAD^] [--pairs 3] [--most 1.15] [--only UNIT]
 *
 * A unit that has risen is measured again, with as many pairs more. The libraries of both are those of this checkout.
 * Last line: `N passed, M failed`, by unit; exit code 1 when one failed. Without the history of the repository, or
 * where the earlier commit measures no units, nothing is compared, and it says so.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { machineLoad } from "./figures/machine-load.ts";
import { judge, type Pair } from "./paired/judge.ts";

const HERE = fileURLToPath(new URL("..", import.meta.url));
const SCRIPT = join("bench", "unit-costs.ts");
const run = promisify(execFile);

const { values } = parseArgs({
  options: {
    before: { type: "string", default: "HEAD^" },
    pairs: { type: "string", default: "3" },
    most: { type: "string", default: "1.15" },
    only: { type: "string", multiple: true, default: [] },
  },
});
const [pairs, most] = [Number(values.pairs), Number(values.most)];
if (!(Number.isInteger(pairs) && pairs >= 1 && most > 0)) {
  console.error(
    "usage: paired.ts [--before COMMIT] [--pairs from 1] [--most above 0] [--only UNIT]",
  );
  process.exit(2);
}

async function unitsOf(folder: string, units: readonly string[]): Promise<Record<string, number>> {
  const { stdout } = await run(process.execPath, ["--import", "tsx", SCRIPT, ...units], {
    cwd: folder,
  });
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
}

async function measure(before: string, count: number, units: readonly string[]): Promise<Pair[]> {
  const found: Pair[] = [];
  for (let i = 0; i < count; i += 1) {
    const folders = i % 2 === 0 ? [HERE, before] : [before, HERE];
    const costs: Record<string, number>[] = [];
    for (const folder of folders) costs.push(await unitsOf(folder, units));
    const [first = {}, second = {}] = costs;
    found.push(i % 2 === 0 ? { now: first, before: second } : { now: second, before: first });
  }
  return found;
}

async function compare(before: string): Promise<void> {
  await symlink(join(HERE, "node_modules"), join(before, "node_modules"));
  if (!existsSync(join(before, SCRIPT))) return skip(`${values.before} has no ${SCRIPT}`);
  const found = await measure(before, pairs, values.only);
  const risen = judge(found, most).filter((verdict) => verdict.hasRisen);
  if (risen.length > 0) {
    const names = risen.map(({ unit }) => unit);
    console.log(`measured again: ${names.join(", ")}`);
    found.push(...(await measure(before, pairs, names)));
  }
  const verdicts = judge(found, most);
  for (const { unit, nowUs, beforeUs, ratio, lowest, highest, hasRisen } of verdicts) {
    console.log(
      `${hasRisen ? "FAIL" : "ok  "} ${unit}: ${nowUs.toPrecision(3)} us of CPU, before ${beforeUs.toPrecision(3)}; ` +
        `ratio ${ratio.toFixed(2)} (${lowest.toFixed(2)} to ${highest.toFixed(2)}, at most ${most})`,
    );
  }
  const failed = verdicts.filter((verdict) => verdict.hasRisen).length;
  console.log(`beside ${values.before}, ${machineLoad()}`);
  console.log(`${verdicts.length - failed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
}

function skip(why: string): void {
  console.log(`nothing is compared: ${why}`);
  console.log("0 passed, 0 failed");
}

const place = await mkdtemp(join(tmpdir(), "plumbline-before-"));
const before = join(place, "code");
try {
  const known = await run("git", ["rev-parse", "--verify", `${values.before}^{commit}`], {
    cwd: HERE,
  })
    .then(({ stdout }) => stdout.trim())
    .catch(() => undefined);
  if (known === undefined) skip(`the history has no commit ${values.before}`);
  else {
    await run("git", ["worktree", "add", "--detach", before, known], { cwd: HERE });
    await compare(before);
  }
} finally {
  await rm(place, { recursive: true, force: true });
  await run("git", ["worktree", "prune"], { cwd: HERE }).catch(() => undefined);
}
