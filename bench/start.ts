/**
 * What a start costs: processor time, user and system, of the command and of every process below it, until
 * `/health/ready` says yes (the demo: until it says that it serves). Bare is on an empty folder, with data on the same
 * one again. Each round runs every way to start, here and in the checkout `--before`, in turns; beside them `node -e 0`.
 * Processor time is what a busy machine must find; beside much else it is measured some 20 to 50 % too high, because
 * two threads share each core: compare within a run. Linux only: it reads /proc. `npm run build` first, in both. Exit
 * code 1 when a median of the built program is above its goal.
 *
 *   tsx bench/start.ts [--rounds 3] [--before DIR] [--only built,npx,demo]
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { parseProcessStat } from "../test/support/process-stat.ts";
import { median } from "./figures/median.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "3" },
    before: { type: "string" },
    only: { type: "string", default: "built,npx,demo" },
  },
});
const HERE = fileURLToPath(new URL("../", import.meta.url));
const WAYS: Readonly<Record<string, readonly string[]>> = {
  built: [process.execPath, "dist/main.js"],
  npx: ["npx", "tsx", "main.ts"],
  demo: ["npm", "run", "--silent", "demo", "--", "--empty"],
};
/** Of the built program, s of CPU. */
const GOALS_S: Readonly<Record<string, number>> = { "built, bare": 4, "built, with data": 1.5 };
const ENVIRONMENT = { HTTP_HOST: "127.0.0.1", HTTP_PORT: "0", MQTT_HOST: "127.0.0.1" };
const POLL_MS = 20;

/** Processor time of a process and of all below it, s. */
async function treeCpuS(root: number): Promise<number> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const all = await Promise.all(
    pids.map(async (pid) => ({
      pid,
      ...parseProcessStat(await readFile(`/proc/${pid}/stat`, "latin1").catch(() => "")),
    })),
  );
  const tree = new Set([root]);
  // A child may have a lower pid than its parent: until nothing is added.
  for (let before = 0; before !== tree.size; ) {
    before = tree.size;
    for (const { pid, parentPid } of all) if (tree.has(parentPid)) tree.add(pid);
  }
  return all
    .filter(({ pid }) => tree.has(pid))
    .reduce((sum, { cpuS, childrenCpuS }) => sum + cpuS + childrenCpuS, 0);
}

/** Waits until it serves: its address is in what it says. */
async function served(child: ChildProcess): Promise<void> {
  if (child.stdout === null) throw new Error("no output");
  let said = "";
  for await (const text of child.stdout) {
    said += String(text);
    if (said.includes("Plumbline is running")) return;
    const url = /"http":"(http:[^"]+)".*plumbline is ready/.exec(said)?.[1];
    if (url === undefined) continue;
    while (!(await fetch(`${url}/health/ready`)).ok) await setTimeout(POLL_MS);
    return;
  }
  throw new Error(`it ended before it served: ${said}`);
}

async function measure(folder: string, way: readonly string[], dataDir: string): Promise<number> {
  const [command = "", ...args] = way;
  const child = spawn(command, args, {
    cwd: folder,
    env: { ...process.env, ...ENVIRONMENT, MQTT_PORT: "0", DATA_DIR: dataDir },
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const pid = child.pid ?? 0;
  await served(child);
  const cpuS = await treeCpuS(pid);
  child.stdout?.resume();
  process.kill(-pid, "SIGINT");
  await ended;
  return cpuS;
}

async function nothingS(): Promise<number> {
  const child = spawn("/bin/sh", ["-c", '"$0" -e 0; cat /proc/$$/stat', process.execPath]);
  const chunks: string[] = [];
  for await (const text of child.stdout) chunks.push(String(text));
  return parseProcessStat(chunks.join("")).childrenCpuS;
}

const folders = values.before === undefined ? [HERE] : [HERE, values.before];
const taken = new Map<string, number[]>();
const note = (name: string, cpuS: number) => taken.set(name, [...(taken.get(name) ?? []), cpuS]);
for (let round = 0; round < Number(values.rounds); round += 1) {
  note("node -e 0", await nothingS());
  for (const name of values.only.split(",")) {
    for (const folder of round % 2 === 0 ? folders : folders.toReversed()) {
      const way = WAYS[name] ?? [];
      const of = folder === HERE ? "" : " (before)";
      const dataDir = await mkdtemp(join(tmpdir(), "plumbline-start-"));
      if (name === "demo") {
        // Its first start bundles the sources and builds the console.
        await rm(join(folder, "node_modules/.cache/plumbline"), { recursive: true, force: true });
      }
      note(`${name}, bare${of}`, await measure(folder, way, dataDir));
      note(`${name}, with data${of}`, await measure(folder, way, dataDir));
      await rm(dataDir, { recursive: true });
    }
  }
}
const medianOf = (name: string) => median(taken.get(name) ?? []);
const rows: Record<string, object> = {};
for (const [name, all] of taken) {
  const cpuS = medianOf(name);
  const before = taken.has(`${name} (before)`) ? cpuS / medianOf(`${name} (before)`) : undefined;
  rows[name] = {
    "CPU, s": cpuS.toFixed(2),
    all: all.map((one) => one.toFixed(2)).join(" "),
    "x node -e 0": (cpuS / medianOf("node -e 0")).toFixed(0),
    "x before": before?.toFixed(2) ?? "",
    "goal, s": GOALS_S[name] ?? "",
  };
  if (cpuS > (GOALS_S[name] ?? Number.POSITIVE_INFINITY)) process.exitCode = 1;
}
console.table(rows);
