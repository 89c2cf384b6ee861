/**
 * What a start of the demo costs: processor time (user and system, of npm and of every process below it)
 * until it says that it serves. Once for a first start (no data, no bundle of the sources) and for a later one.
 * Processor time is what a busy machine must find; on a machine that does much else it is measured some 20 to
 * 50 % too high, because two threads share each core. Linux only: it reads /proc. Exit code 1 when the
 * median of the first starts is above the goal.
 *
 *   tsx bench/start.ts [runs]
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { upperMedian } from "../processing/numeric/median.ts";
import { parseProcessStat } from "../test/support/process-stat.ts";

const [runs = 3] = process.argv.slice(2).map(Number);
const GOAL_FIRST_S = 6;
const BUNDLES = fileURLToPath(new URL("../node_modules/.cache/plumbline", import.meta.url));

interface Usage {
  readonly pid: number;
  readonly parent: number;
  /** Of itself, and of the children that it has waited for, s. */
  readonly cpuS: number;
}

/** `undefined` when the process is gone. */
async function usageOf(pid: number): Promise<Usage | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, "latin1").catch(() => undefined);
  if (text === undefined) return undefined;
  const { parentPid, cpuS, childrenCpuS } = parseProcessStat(text);
  return { pid, parent: parentPid, cpuS: cpuS + childrenCpuS };
}

/** Processor time of a process and of all below it, s. */
async function treeCpuS(root: number): Promise<number> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const all = (await Promise.all(pids.map(usageOf))).filter((usage) => usage !== undefined);
  const tree = new Set([root]);
  // A child may have a lower pid than its parent: until nothing is added.
  for (let before = 0; before !== tree.size; ) {
    before = tree.size;
    for (const { pid, parent } of all) if (tree.has(parent)) tree.add(pid);
  }
  return all.filter(({ pid }) => tree.has(pid)).reduce((sum, { cpuS }) => sum + cpuS, 0);
}

async function served(demo: ChildProcess): Promise<void> {
  if (demo.stdout === null) throw new Error("no output");
  let said = "";
  for await (const text of demo.stdout) {
    said += String(text);
    if (said.includes("Plumbline is running")) return;
  }
  throw new Error(`the demo ended before it served: ${said}`);
}

/** Starts the demo on that data, measures, and stops it. */
async function measure(
  dataDir: string,
): Promise<{ readonly cpuS: number; readonly wallS: number }> {
  const startedMs = performance.now();
  const demo = spawn("npm", ["run", "--silent", "demo"], {
    env: { ...process.env, DATA_DIR: dataDir, HTTP_PORT: "0", MQTT_PORT: "0" },
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(demo, "exit");
  const pid = demo.pid ?? 0;
  await served(demo);
  const cpuS = await treeCpuS(pid);
  const wallS = (performance.now() - startedMs) / 1_000;
  process.kill(-pid, "SIGINT");
  await ended;
  return { cpuS, wallS };
}

const firsts: number[] = [];
for (let run = 0; run < runs; run++) {
  const dataDir = await mkdtemp(join(tmpdir(), "plumbline-start-"));
  await rm(BUNDLES, { recursive: true, force: true });
  const first = await measure(dataDir);
  const later = await measure(dataDir);
  await rm(dataDir, { recursive: true });
  firsts.push(first.cpuS);
  for (const [name, { cpuS, wallS }] of Object.entries({ first, later })) {
    console.log(`${name}: ${cpuS.toFixed(2)} s of CPU, ${wallS.toFixed(1)} s by the clock`);
  }
}
const firstS = upperMedian(firsts) ?? Number.POSITIVE_INFINITY;
console.log(
  `median of ${runs} first starts: ${firstS.toFixed(2)} s of CPU (goal: ${GOAL_FIRST_S})`,
);
process.exitCode = firstS > GOAL_FIRST_S ? 1 : 0;
