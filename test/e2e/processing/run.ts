import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { bundledScript } from "../../support/bundled-program.ts";
import { freshDataDir } from "../../support/databases.ts";
import { slowness } from "../../support/slowness.ts";
import { measureLatency } from "./api-latency.ts";
import { BOMBS, writeBombs } from "./bombs.ts";
import type { SurveyLike } from "./messages.ts";
import { startWorker, type Worker } from "./worker.ts";

/**
 * `npm run test:processing`: hostile images in a process whose memory is watched; jobs whose process or
 * thread is killed in each stage, and that are canceled; the API beside 20 jobs. `--only bombs,kills`.
 * Exit code 1 when a check fails.
 */
const { values } = parseArgs({ options: { only: { type: "string" } } });
const READER = "test/e2e/processing/read-in-child.ts";

/** docs/rules.md#images. */
const MAX_MIB = 500;
/** Issue: a job is canceled within 1 s. */
const CANCEL_MS = 1_000;
/** Issue: 20 jobs keep the p99 within twice that of an idle service. */
const MAX_RATIO = 2;
/**
 * So much is near enough to nothing, ms, where an idle service answers within less than 5. Of the event
 * loop's time beside 20 surveys 0.1 % was theirs by its CPU profile; what is left is the kernel's. With
 * two cores busy the loop waited 87 instead of 14 ms in each second for one (/proc/thread-self/schedstat),
 * although it has precedence.
 */
const MAX_MS = 10;

let passed = 0;
let failed = 0;
function check(name: string, isSo: boolean, detail = ""): void {
  if (isSo) passed += 1;
  else failed += 1;
  console.log(`${isSo ? "ok  " : "FAIL"} ${name}${detail === "" ? "" : ` (${detail})`}`);
}

const work = await mkdtemp(join(tmpdir(), "plumbline-processing-"));

async function bombs(): Promise<void> {
  const paths = await writeBombs(work);
  const { stdout } = await promisify(execFile)(process.execPath, [
    await bundledScript(READER),
    ...paths,
  ]);
  const report: {
    readonly refusals: readonly (string | null)[];
    readonly seconds: readonly number[];
    readonly peakMib: number;
  } = JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
  for (const [i, { name, refused }] of BOMBS.entries()) {
    const said = report.refusals[i] ?? null;
    const isSo = refused === undefined ? said === null : refused.test(said ?? "");
    check(`${name} is ${refused === undefined ? "read" : "refused"}`, isSo, said ?? "read");
  }
  const slowest = Math.max(...report.seconds);
  check("no image takes longer than 20 s", slowest < 20, `${slowest.toFixed(1)} s`);
  check(
    `the process stays below ${MAX_MIB} MiB`,
    report.peakMib < MAX_MIB,
    `${report.peakMib.toFixed(0)} MiB`,
  );
}

const JOB: SurveyLike = { seed: "north pit", busyMs: 150 };
const STAGES = ["features", "match", "adjust", "dense"];
const isOver = ({ state }: { readonly state: string }) => state === "completed";

async function onFreshData(use: (dataDir: string) => Promise<void>): Promise<void> {
  const dataDir = await freshDataDir();
  await use(dataDir);
  await rm(dataDir, { recursive: true });
}

async function kills(): Promise<void> {
  let wanted = "";
  await onFreshData(async (dataDir) => {
    const worker = await startWorker(dataDir);
    worker.add("whole", JOB);
    wanted = JSON.stringify((await worker.until("whole", isOver)).result);
    await worker.end("stop");
  });
  await onFreshData(async (dataDir) => {
    let worker: Worker = await startWorker(dataDir);
    const begun: string[] = [];
    worker.add("killed", JOB);
    for (const stage of STAGES) {
      await worker.begins(stage);
      await worker.end("kill");
      begun.push(...worker.stages);
      worker = await startWorker(dataDir);
    }
    const job = await worker.until("killed", isOver);
    begun.push(...worker.stages);
    await worker.end("stop");
    check(
      "a job whose process is killed in each stage ends with the same bytes",
      JSON.stringify(job.result) === wanted,
      `attempt ${job.attempts}`,
    );
    // Each stage once before its kill and once after; the ones before it are never worked out again.
    const again = STAGES.flatMap((stage) => [stage, stage]);
    check(
      "finished stages are not worked out again",
      JSON.stringify(begun) === JSON.stringify(again),
      begun.join(" "),
    );
  });
}

async function threadsAndCancel(): Promise<void> {
  await onFreshData(async (dataDir) => {
    const worker = await startWorker(dataDir);
    worker.add("endless", { ...JOB, seed: "endless", deed: "never ends" });
    await worker.begins("features");
    const sinceMs = performance.now();
    worker.cancel("endless");
    await worker.until("endless", ({ state }) => state === "canceled");
    const tookMs = performance.now() - sinceMs;
    check(
      "a job of endless tasks is canceled within 1 s",
      tookMs < CANCEL_MS * slowness(),
      `${tookMs.toFixed(0)} ms`,
    );

    worker.add("threads", { ...JOB, killThreads: true, seed: "threads" });
    const first = await worker.until(
      "threads",
      ({ attempts, state }) => attempts === 1 && state === "queued",
    );
    check(
      "a thread that dies fails the attempt by the task's name, and not the process",
      first.error?.code === "TASK_FAILED" && first.error.message.includes("the task work crashed"),
      first.error?.message,
    );
    worker.add("after", { ...JOB, seed: "after" });
    const after = await worker.until("after", isOver);
    check("the next job is done by the same process", after.attempts === 1);
    await worker.end("stop");
  });
}

async function latency(): Promise<void> {
  const { idleMs, busyMs, jobs, finished, requests } = await measureLatency();
  const ratio = busyMs / idleMs;
  check(`all ${jobs} surveys are finished`, finished === jobs, `${finished} of ${jobs}`);
  check(
    `the API's p99 beside ${jobs} surveys is at most twice that of an idle service, or ${MAX_MS} ms`,
    ratio <= MAX_RATIO || busyMs <= MAX_MS * slowness(),
    `${idleMs.toFixed(1)} ms idle, ${busyMs.toFixed(1)} ms busy, ratio ${ratio.toFixed(2)}, ` +
      `of ${requests.idle} and ${requests.busy} requests`,
  );
}

const PARTS = { bombs, kills, threads: threadsAndCancel, latency };
const only = values.only?.split(",");
const unknown = only?.filter((name) => !(name in PARTS)) ?? [];
if (unknown.length > 0) {
  console.error(
    `there is no part ${unknown.join(", ")}; there are ${Object.keys(PARTS).join(", ")}`,
  );
  process.exit(2);
}
for (const [name, part] of Object.entries(PARTS)) {
  if (only !== undefined && !only.includes(name)) continue;
  await part().catch((error: unknown) => {
    console.error(error);
    check(`${name} runs to its end`, false);
  });
}
await rm(work, { recursive: true });
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
