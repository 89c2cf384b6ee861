import { once } from "node:events";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { watchSlowness } from "../../../processing/pool/slowness.ts";
import { startTimeLimit } from "../../../processing/pool/time-limit.ts";

/** A limit of 20 ms that has come to its end at a machine of these slownesses, one after the other. */
async function lateAfter(...slownesses: readonly number[]) {
  const left = [...slownesses];
  const startMs = performance.now();
  let tookMs: number | undefined;
  startTimeLimit(
    20,
    () => {
      tookMs = performance.now() - startMs;
    },
    async () => left.shift() ?? 1,
  );
  await vi.advanceTimersByTimeAsync(10_000);
  return { tookMs, left };
}

describe("the time limit of a task", () => {
  // A true clock wakes a little early or late, as often as it likes.
  beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
  afterEach(() => vi.useRealTimers());

  it("the time limit of a task is what it says where threads get a processor when they want one", async () => {
    expect(await lateAfter(1)).toEqual({ tookMs: 20, left: [] });
  });

  it("the time limit of a task is longer where threads wait for a processor, as long as they do", async () => {
    expect(await lateAfter(6, 6, 6)).toEqual({ tookMs: 120, left: [6] });
  });

  it("the time limit ends with the first read of the load after the machine became idle", async () => {
    expect(await lateAfter(4, 1, 9)).toEqual({ tookMs: 80, left: [9] });
  });

  it("the time limit of a task is stretched to 30 times at most", async () => {
    expect((await lateAfter(1_000, 1_000)).tookMs).toBe(600);
  });

  it("the time limit of a task never expires after the task has ended, also while the load is read", async () => {
    let wasLate = false;
    const answers: ((slowness: number) => void)[] = [];
    const end = startTimeLimit(
      1,
      () => {
        wasLate = true;
      },
      () => new Promise((resolve) => answers.push(resolve)),
    );
    await vi.advanceTimersByTimeAsync(1);
    expect(answers.length).toBe(1);
    end();
    for (const answer of answers) answer(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(wasLate).toBe(false);
  });
});

describe("the slowness of a machine", () => {
  it.skipIf(process.platform !== "linux")(
    "is how many threads share a processor, where all of them want one",
    async () => {
      const threads = Array.from(
        { length: 3 * availableParallelism() },
        () =>
          new Worker("require('node:worker_threads').parentPort.postMessage(0); while (true);", {
            eval: true,
          }),
      );
      await Promise.all(threads.map((thread) => once(thread, "message")));

      // Three, less what this machine's scheduler makes of half a second.
      expect(await watchSlowness()).toBeGreaterThan(1.8);

      await Promise.all(threads.map((thread) => thread.terminate()));
    },
  );
});
