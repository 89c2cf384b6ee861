import { getPriority } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GateRefusal } from "../../../processing/gates/gates.ts";
import type { FinishedTask, WorkerPool } from "../../../processing/pool/pool.ts";
import { slowness } from "../../support/slowness.ts";
import { ABSENT, FINDING, GRID, openTestPool, POISON, type PoisonInput } from "./poison.ts";

const MIB = 1024 ** 2;
/** docs/rules.md#images: a busy task ends within 1 s of its cancellation. */
const CANCEL_MS = 1_000;

const counter = () => new Int32Array(new SharedArrayBuffer(4));

/** Resolves when so many tasks began. */
async function begun(started: Int32Array, count: number): Promise<void> {
  while (Atomics.load(started, 0) < count) await delay(5);
}

describe("the worker pool", () => {
  let pool: WorkerPool;
  const finished: FinishedTask[] = [];

  beforeAll(() => {
    pool = openTestPool({ onTask: (task) => finished.push(task) });
  });
  afterAll(() => pool.close());

  const poison = (deed: PoisonInput["deed"], signal?: AbortSignal) =>
    pool.run(POISON, { deed }, signal);

  it("the worker pool hands a task's typed arrays over", async () => {
    const { elevationM } = await pool.run(GRID, { cells: 1_000 });
    expect([elevationM.length, elevationM[999]]).toEqual([1_000, 1.5]);
  });

  it("the worker pool gives an expected failure back with its code, and a gate with all it found", async () => {
    await expect(poison("domain")).rejects.toMatchObject({
      name: "DomainError",
      code: "IMAGE_REFUSED",
      message: "not an image",
    });
    const refusal = await poison("gate").catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(GateRefusal);
    expect((refusal as GateRefusal).finding).toStrictEqual(FINDING);
  });

  it.each([
    ["throw", "the task poison crashed: a bug"],
    ["late throw", "the task poison crashed: nobody awaits this"],
    ["exit", "the task poison crashed: worker exited with code: 3"],
    ["memory", "the task poison ran out of memory"],
  ] as const)("the worker pool outlives a task that ends by %s, and names it", async (deed, message) => {
    await expect(poison(deed)).rejects.toMatchObject({ code: "TASK_FAILED", message });
    expect(await poison("echo")).toBe("echo");
  });

  it("the worker pool reports a missing task file", async () => {
    await expect(pool.run(ABSENT, null)).rejects.toMatchObject({
      code: "TASK_FAILED",
      message: expect.stringMatching(/^the task absent crashed: /),
    });
  });

  it("the worker pool ends an endless task within 1 s of its cancellation, with the signal's reason", async () => {
    const canceling = new AbortController();
    const started = counter();
    const endless = pool.run(POISON, { deed: "loop", started }, canceling.signal);
    const outcome = expect(endless).rejects.toBe("no longer wanted");
    await begun(started, 1);
    const sinceMs = performance.now();
    canceling.abort("no longer wanted");
    await outcome;
    expect(performance.now() - sinceMs).toBeLessThan(CANCEL_MS * slowness());
    expect(await poison("echo")).toBe("echo");
  });

  it("the worker pool refuses a task whose signal has fired already", async () => {
    await expect(poison("echo", AbortSignal.abort())).rejects.toMatchObject({ name: "AbortError" });
  });

  it("the worker pool reports every task that ran, with its outcome", () => {
    const outcomes = new Set(finished.map(({ name, outcome }) => `${name} ${outcome}`));
    expect(outcomes).toEqual(
      new Set([
        "grid done",
        "poison refused",
        "poison failed",
        "poison done",
        "absent failed",
        "poison stopped",
      ]),
    );
  });

  it.runIf(process.platform === "linux")(
    "runs tasks in threads that are nicer than the event loop",
    async () => {
      // Linux knows nothing nicer than 19 (setpriority(2)).
      expect(await poison("niceness")).toBe(Math.min(19, getPriority() + 5));
    },
  );

  it.runIf(process.platform === "linux")(
    "images are encoded in threads that are nicer than the event loop",
    async () => {
      expect(await poison("niceness of libvips")).toBe(Math.min(19, getPriority() + 5));
    },
  );
});

describe("limits of the worker pool", () => {
  it("the worker pool ends a task that takes too long", async () => {
    const pool = openTestPool();
    await expect(pool.run({ ...POISON, timeMs: 1_000 }, { deed: "loop" })).rejects.toMatchObject({
      code: "TASK_FAILED",
      message: "the task poison took longer than 1 s",
    });
    await pool.close();
  });

  it("the worker pool refuses a task that needs more memory than there is, by the gate's name", async () => {
    const pool = openTestPool();
    const huge = pool.run(POISON, { deed: "echo", memoryBytes: 256 * MIB + 1 });
    const refusal = await huge.catch((error: unknown) => error);
    expect((refusal as GateRefusal).finding).toMatchObject({
      gate: "OUT_OF_MEMORY",
      value: 257,
      threshold: 256,
      unit: "MiB",
    });
    await pool.close();
  });

  it("the worker pool runs fewer at once than it has threads when memory is short", async () => {
    const pool = openTestPool();
    const canceling = new AbortController();
    const started = counter();
    const large = { deed: "loop", memoryBytes: 200 * MIB, started } as const;
    const first = pool.run(POISON, large, canceling.signal).catch(() => "ended");
    await begun(started, 1);
    const second = pool.run(POISON, { ...large, deed: "echo" });
    expect([pool.running, pool.waiting, pool.usedBytes]).toEqual([1, 1, 200 * MIB]);
    canceling.abort();
    expect(await Promise.all([first, second])).toEqual(["ended", "echo"]);
    expect([pool.running, pool.waiting, pool.usedBytes]).toEqual([0, 0, 0]);
    await pool.close();
  });

  it("the worker pool fails what runs and what waits when it is closed", async () => {
    const pool = openTestPool({ threads: 1 });
    const started = counter();
    const running = pool.run(POISON, { deed: "loop", started });
    const waiting = pool.run(POISON, { deed: "echo" });
    const outcome = Promise.allSettled([running, waiting]);
    await begun(started, 1);
    await pool.close();
    const stopped = { code: "TASK_FAILED", message: "the task poison was stopped with its pool" };
    expect(await outcome).toMatchObject([{ reason: stopped }, { reason: stopped }]);
  });
});
