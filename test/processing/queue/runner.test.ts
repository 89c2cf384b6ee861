import { setTimeout as delay } from "node:timers/promises";
import { pino } from "pino";
import { afterEach, describe, expect, it } from "vitest";
import { DomainError } from "../../../domain/errors.ts";
import type { JobId } from "../../../domain/ids.ts";
import { GateRefusal } from "../../../processing/gates/gates.ts";
import type { JobHandler } from "../../../processing/queue/job-handler.ts";
import { JobRunner } from "../../../processing/queue/runner.ts";
import type { Job, NewJob } from "../../../storage/ports/platform/jobs.ts";
import { type MemoryRecords, openMemoryRecords } from "../../support/memory-records.ts";
import { PATIENT_MS } from "../../support/patience.ts";

const TIMES = { pollMs: 10, watchMs: 5, beatMs: 10, silentMs: 1_000, stopMs: 1_000 };
const SOON = { timeout: PATIENT_MS, interval: 5 };
const HOUR_MS = 3_600_000;
const WAITING = "waiting for a store that does not answer";
const jobId = (id: string) => id as JobId;

const FINDING = {
  gate: "NO_GPS",
  severity: "reject",
  value: 3,
  threshold: 0,
  unit: "images",
  advice: "Switch it on.",
  images: ["a.jpg"],
} as const;

let open: JobRunner[] = [];
afterEach(async () => {
  await Promise.all(open.map((runner) => runner.stop()));
  open = [];
});

function start(
  records: MemoryRecords,
  handler: JobHandler,
  change: Partial<ConstructorParameters<typeof JobRunner>[0]> = {},
): JobRunner {
  const runner = new JobRunner({
    jobs: records.jobs,
    handlers: new Map([["survey", handler]]),
    runner: "r1",
    concurrency: 2,
    isAlone: false,
    log: pino({ level: "silent" }),
    times: TIMES,
    ...change,
  });
  open.push(runner);
  return runner;
}

async function add(records: MemoryRecords, id: string, change: Partial<NewJob> = {}) {
  await records.jobs.add({
    id: jobId(id),
    kind: "survey",
    projectId: undefined,
    input: { n: 7 },
    dedupeKey: undefined,
    lane: undefined,
    joinCompletedMs: 0,
    priority: 0,
    maxAttempts: 3,
    workUnits: 1,
    ...change,
  });
}

/** Waits until the job is as `wanted`. */
async function becomes(records: MemoryRecords, id: string, wanted: Partial<Job>) {
  await expect.poll(() => records.jobs.find(jobId(id)), SOON).toMatchObject(wanted);
}

/** Works until the signal fires, as a pool's task does. */
const endless: JobHandler = (_job, { signal }) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
  });

describe("the job runner", () => {
  it("runs a job with its input and stores the result", async () => {
    const records = openMemoryRecords();
    start(records, async ({ input }) => ({ got: input }));
    await add(records, "j1");
    await becomes(records, "j1", { state: "completed", result: { got: { n: 7 } }, attempts: 1 });
  });

  it("the job runner reports every attempt that has ended, once the queue knows", async () => {
    const records = openMemoryRecords();
    const ended: unknown[] = [];
    start(records, async () => null, {
      onEnded: (id) => void records.jobs.find(id).then((job) => ended.push([job?.id, job?.state])),
    });
    await add(records, "j1");
    await expect.poll(() => ended, SOON).toEqual([["j1", "completed"]]);
  });

  it("the job runner stores stage and progress while the job runs", async () => {
    const records = openMemoryRecords();
    start(records, (job, context) => {
      context.progress("match", 40);
      context.progress("dense", 30);
      return endless(job, context);
    });
    await add(records, "j1");
    await becomes(records, "j1", { state: "running", stage: "dense", progress: 40 });
  });

  it("the job runner runs no more jobs at once than it may, and all of them in the end", async () => {
    const records = openMemoryRecords();
    let now = 0;
    let most = 0;
    start(records, async () => {
      now += 1;
      most = Math.max(most, now);
      await delay(5);
      now -= 1;
    });
    for (let i = 0; i < 8; i++) await add(records, `j${i}`);
    for (let i = 0; i < 8; i++) await becomes(records, `j${i}`, { state: "completed" });
    expect(most).toBe(2);
  });

  it("cancels a running job", async () => {
    const records = openMemoryRecords();
    start(records, endless);
    await add(records, "j1");
    await becomes(records, "j1", { state: "running" });
    await records.jobs.requestCancel(jobId("j1"));
    await becomes(records, "j1", { state: "canceled" });
  });

  it.each([
    "ENGINE_FAILED",
    "TASK_FAILED",
  ] as const)("the job runner tries again after %s, later each time, and then gives up with the error", async (code) => {
    let nowMs = 1_000_000;
    const records = openMemoryRecords(() => nowMs);
    const begun: number[] = [];
    start(records, async () => {
      begun.push(nowMs);
      throw new DomainError(code, "no luck");
    });
    await add(records, "j1");
    await becomes(records, "j1", { state: "queued", attempts: 1, notBeforeMs: 1_010_000 });
    nowMs = 1_010_000;
    await becomes(records, "j1", { state: "queued", attempts: 2, notBeforeMs: 1_050_000 });
    nowMs = 1_050_000;
    await becomes(records, "j1", {
      state: "failed",
      attempts: 3,
      error: { code, message: "no luck" },
    });
    expect(begun).toEqual([1_000_000, 1_010_000, 1_050_000]);
  });

  it("a job whose store is away for 23 h waits, says so, and is done when the store is back", async () => {
    let nowMs = 1_000_000;
    const records = openMemoryRecords(() => nowMs);
    start(records, async (_job, { progress }) => {
      progress("matching", 40);
      if (nowMs < 1_000_000 + 23 * HOUR_MS) throw new DomainError("STORE_UNAVAILABLE", "no answer");
      return "done";
    });
    await add(records, "j1");
    const waiting = { state: "queued", stage: WAITING, error: { message: "no answer" } } as const;
    for (const [i, pauseMs] of [10_000, 20_000, 40_000, 60_000, 60_000].entries()) {
      await becomes(records, "j1", {
        ...waiting,
        attempts: i + 1,
        notBeforeMs: nowMs + pauseMs,
      } as Partial<Job>);
      nowMs += pauseMs;
    }
    nowMs = 1_000_000 + 23 * HOUR_MS;
    await becomes(records, "j1", { state: "completed", result: "done" });
  });

  it("a job that waits for a store is canceled at once", async () => {
    const records = openMemoryRecords();
    start(records, async () => {
      throw new DomainError("STORE_UNAVAILABLE", "no answer");
    });
    await add(records, "j1");
    await becomes(records, "j1", { state: "queued", stage: WAITING });
    await records.jobs.requestCancel(jobId("j1"));
    await becomes(records, "j1", { state: "canceled" });
  });

  it("a job that has waited a day for a store gives up with the error after its attempts", async () => {
    let nowMs = 1_000_000;
    const records = openMemoryRecords(() => nowMs);
    start(records, async () => {
      throw new DomainError("STORE_UNAVAILABLE", "no answer");
    });
    await add(records, "j1", { maxAttempts: 1 });
    await becomes(records, "j1", { state: "queued", attempts: 1, maxAttempts: 2 });
    nowMs += 24 * HOUR_MS;
    await becomes(records, "j1", { state: "failed", attempts: 2 });
  });

  it("fails a job at once that a gate refuses, with all that the gate found", async () => {
    const records = openMemoryRecords();
    start(records, async () => {
      throw new GateRefusal(FINDING);
    });
    await add(records, "j1");
    await becomes(records, "j1", {
      state: "failed",
      attempts: 1,
      error: { code: "IMAGES_UNUSABLE", message: expect.any(String), details: FINDING },
    });
  });

  it("fails a job at once on a bug, whose words stay in the log", async () => {
    const records = openMemoryRecords();
    start(records, async () => {
      throw new TypeError("secret path /x");
    });
    await add(records, "j1");
    await becomes(records, "j1", {
      state: "failed",
      error: { code: "TASK_FAILED", message: "the job failed by an internal error" },
    });
  });

  it("the job runner tries again after the disk was full, with a code that says so and without a word of where", async () => {
    const records = openMemoryRecords();
    start(records, async () => {
      throw Object.assign(new Error("ENOSPC: no space left, write '/x'"), { code: "ENOSPC" });
    });
    await add(records, "j1");
    const message = "the disk is full";
    await becomes(records, "j1", { state: "queued", error: { code: "DISK_FULL", message } });
  });

  it("fails a job whose result cannot be stored", async () => {
    const records = openMemoryRecords();
    start(records, async () => 1n);
    await add(records, "j1");
    await becomes(records, "j1", { state: "failed" });
  });

  it("the job runner stores the outcome when the store is back", async () => {
    const records = openMemoryRecords();
    start(records, async () => {
      records.away = true;
      return "done";
    });
    await add(records, "j1");
    await expect.poll(() => records.away, SOON).toBe(true);
    await delay(30);
    records.away = false;
    await becomes(records, "j1", { state: "completed", result: "done", attempts: 1 });
  });

  it("ends a job that was taken away, and leaves its row alone", async () => {
    const records = openMemoryRecords();
    const reasons: unknown[] = [];
    start(records, (job, context) =>
      endless(job, context).catch((error: Error) => {
        reasons.push(error.message);
        throw error;
      }),
    );
    await add(records, "j1");
    await becomes(records, "j1", { state: "running" });
    await records.jobs.requeueLost(0, { code: "TASK_FAILED", message: "lost" });
    const other = await records.jobs.claim("r2", ["survey"]);
    await expect.poll(() => reasons, SOON).toEqual(["the job was lost"]);
    expect(await records.jobs.find(jobId("j1"))).toMatchObject({ runner: "r2", attempts: 2 });
    expect(other?.id).toBe("j1");
  });

  it("the job runner gives what runs back to the queue when it stops, as if it had not begun", async () => {
    const records = openMemoryRecords();
    const runner = start(records, endless);
    await add(records, "j1");
    await becomes(records, "j1", { state: "running" });
    await runner.stop();
    expect(await records.jobs.find(jobId("j1"))).toMatchObject({ state: "queued", attempts: 0 });
  });

  it("the job runner takes jobs of a silent process back", async () => {
    let nowMs = 0;
    const records = openMemoryRecords(() => nowMs);
    await add(records, "j1");
    await records.jobs.claim("dead", ["survey"]);
    start(records, async () => "done", { times: { ...TIMES, silentMs: 100 } });
    await delay(60);
    expect(await records.jobs.find(jobId("j1"))).toMatchObject({ runner: "dead" });
    nowMs = 100;
    await becomes(records, "j1", { state: "completed", attempts: 2 });
  });

  it("takes no job of its own back, however far the database's clock jumps", async () => {
    let nowMs = 0;
    const records = openMemoryRecords(() => nowMs);
    // No sign of life by itself within the test.
    start(records, endless, { times: { ...TIMES, beatMs: 1_000_000, silentMs: 40 } });
    await add(records, "j1");
    await becomes(records, "j1", { state: "running" });
    for (let i = 0; i < 5; i++) {
      nowMs += 3_600_000;
      await delay(30);
      expect(await records.jobs.find(jobId("j1"))).toMatchObject({ state: "running", attempts: 1 });
    }
  });

  it("the job runner gives other processes time to show that they live when the queue is back", async () => {
    const SILENT_MS = 200;
    let nowMs = 0;
    const records = openMemoryRecords(() => nowMs);
    await add(records, "j1");
    await records.jobs.claim("other", ["survey"]);
    const runner = start(records, async () => "done", { times: { ...TIMES, silentMs: SILENT_MS } });
    records.away = true;
    await expect.poll(() => runner.trouble, SOON).toBeDefined();
    nowMs = 60_000;
    const backMs = performance.now();
    records.away = false;
    await becomes(records, "j1", { state: "completed", attempts: 2 });
    expect(performance.now() - backMs).toBeGreaterThanOrEqual(SILENT_MS / 2);
  });

  it("begins a job that it lost and got again only after the lost attempt has ended", async () => {
    const records = openMemoryRecords();
    const events: string[] = [];
    const runner = start(records, async (job, context) => {
      events.push(`begin ${job.attempts}`);
      await endless(job, context).catch(() => undefined);
      await delay(30);
      events.push(`end ${job.attempts}`);
      context.signal.throwIfAborted();
    });
    await add(records, "j1");
    await becomes(records, "j1", { state: "running", attempts: 1 });
    await records.jobs.requeueLost(0, { code: "TASK_FAILED", message: "lost" });
    await expect.poll(() => events, SOON).toEqual(["begin 1", "end 1", "begin 2"]);
    expect(runner.running).toBe(1);
    await records.jobs.requestCancel(jobId("j1"));
    await becomes(records, "j1", { state: "canceled", attempts: 2 });
    await expect.poll(() => runner.running, SOON).toBe(0);
  });

  it("the job runner says that the queue does not answer for as long as it does not", async () => {
    const records = openMemoryRecords();
    const runner = start(records, endless);
    records.away = true;
    await expect.poll(() => runner.trouble, SOON).toBe("the job queue does not answer");
    const seen = new Set<string | undefined>();
    for (let i = 0; i < 20; i++) {
      await delay(3);
      seen.add(runner.trouble);
    }
    expect([...seen]).toEqual(["the job queue does not answer"]);
    records.away = false;
    await expect.poll(() => runner.trouble, SOON).toBeUndefined();
  });

  it("the job runner stops in its time when the queue keeps it waiting for a job", async () => {
    const { jobs } = openMemoryRecords();
    const runner = new JobRunner({
      jobs: { ...jobs, claim: () => new Promise(() => undefined) },
      handlers: new Map([["survey", endless]]),
      runner: "r1",
      concurrency: 1,
      isAlone: false,
      log: pino({ level: "silent" }),
      times: { ...TIMES, stopMs: 20 },
    });
    await delay(20);
    await expect(runner.stop()).resolves.toBeUndefined();
  });

  it("keeps the progress of a job that cannot say how far it is", async () => {
    const records = openMemoryRecords();
    start(records, (job, context) => {
      context.progress("match", 40);
      context.progress("dense", Number.NaN);
      return endless(job, context);
    });
    await add(records, "j1");
    await becomes(records, "j1", { state: "running", stage: "dense", progress: 40 });
  });

  it("the job runner takes all running jobs back at the start where it is the only process", async () => {
    const records = openMemoryRecords();
    await add(records, "j1");
    await records.jobs.claim("before the crash", ["survey"]);
    start(records, async () => "done", { isAlone: true });
    await becomes(records, "j1", { state: "completed", attempts: 2 });
  });

  it("asks for no job of a kind that it has no handler for", async () => {
    const records = openMemoryRecords();
    const runner = start(records, async () => "done");
    await add(records, "other", { kind: "render" });
    await add(records, "mine");
    runner.poke();
    await becomes(records, "mine", { state: "completed" });
    expect(await records.jobs.find(jobId("other"))).toMatchObject({ state: "queued" });
  });
});
