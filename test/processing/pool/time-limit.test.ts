import { once } from "node:events";
import { availableParallelism } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { watchWaits } from "../../../processing/pool/thread-waits.ts";
import { startTimeLimit } from "../../../processing/pool/time-limit.ts";

/** Many turns of a busy machine's processors, ms. */
const WATCHED_MS = 500;

/**
 * When a limit of 20 ms ends, in ms, where a thread had waited so long for a processor at one look after the other;
 * and the looks that were not needed.
 */
async function lateAfter(...waits: readonly number[]) {
  const left = [...waits];
  const startMs = performance.now();
  let tookMs: number | undefined;
  startTimeLimit(
    20,
    () => {
      tookMs = performance.now() - startMs;
    },
    () => async () => left.shift() ?? 0,
  );
  await vi.advanceTimersByTimeAsync(1_000_000);
  return { tookMs, left };
}

describe("the time limit of a task", () => {
  // A true clock wakes a little early or late, as often as it likes.
  beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
  afterEach(() => vi.useRealTimers());

  it("the time limit of a task is what it says where threads get a processor when they want one", async () => {
    expect(await lateAfter(0)).toEqual({ tookMs: 20, left: [] });
  });

  it("the time limit of a task is longer by what threads wait for a processor", async () => {
    expect(await lateAfter(15, 22, 22)).toEqual({ tookMs: 42, left: [] });
  });

  it("a task that got nothing for ten minutes has all of its time after them", async () => {
    const waits = Array.from({ length: 30_000 }, (_, i) => 20 * (i + 1));
    expect(await lateAfter(...waits, 600_000)).toEqual({ tookMs: 600_020, left: [] });
  });

  it("the time limit of a task never expires after the task has ended, also while the load is read", async () => {
    let wasLate = false;
    const answers: ((waitedMs: number) => void)[] = [];
    const end = startTimeLimit(
      4,
      () => {
        wasLate = true;
      },
      () => () => new Promise((resolve) => answers.push(resolve)),
    );
    await vi.advanceTimersByTimeAsync(4);
    expect(answers.length).toBe(1);
    end();
    for (const answer of answers) answer(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(wasLate).toBe(false);
  });
});

describe("what threads wait for a processor", () => {
  it.skipIf(process.platform !== "linux")(
    "is counted of the thread that waits longest",
    async () => {
      const threads = Array.from(
        { length: 3 * availableParallelism() },
        () =>
          new Worker("require('node:worker_threads').parentPort.postMessage(0); while (true);", {
            eval: true,
          }),
      );
      await Promise.all(threads.map((thread) => once(thread, "message")));
      const startMs = performance.now();
      const waitedMs = watchWaits();
      await delay(WATCHED_MS);

      // Two thirds, less what this machine's scheduler makes of so short a time; and never more than all of it.
      const share = (await waitedMs()) / (performance.now() - startMs);
      expect(share).toBeGreaterThan(0.45);
      expect(share).toBeLessThanOrEqual(1);

      await Promise.all(threads.map((thread) => thread.terminate()));
    },
  );
});
