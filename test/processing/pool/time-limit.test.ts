import { once } from "node:events";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { watchSlowness } from "../../../processing/pool/slowness.ts";
import { startTimeLimit } from "../../../processing/pool/time-limit.ts";

/** A limit of 20 ms that has come to its end at a machine of these slownesses, one after the other. */
async function lateAfter(...slownesses: readonly number[]) {
  const left = [...slownesses];
  const startMs = performance.now();
  await new Promise<void>((resolve) => {
    startTimeLimit(20, resolve, async () => left.shift() ?? 1);
  });
  return { tookMs: performance.now() - startMs, left };
}

describe("the time limit of a task", () => {
  it("is what it says where threads get a processor when they want one", async () => {
    expect((await lateAfter(1)).left).toEqual([]);
  });

  it("is longer where threads wait for a processor, as long as they do", async () => {
    const { tookMs, left } = await lateAfter(6, 6, 6, 6, 6);
    expect(tookMs).toBeGreaterThanOrEqual(119);
    // A look after 20 ms, one after 120; another where a timer was early.
    expect(left.length).toBeGreaterThanOrEqual(2);
  });

  it("ends with the first look after the machine became idle", async () => {
    const { tookMs, left } = await lateAfter(4, 1, 9);
    expect(tookMs).toBeGreaterThanOrEqual(79);
    expect(left).toEqual([9]);
  });

  it("is stretched to 30 times at most", async () => {
    const { tookMs } = await lateAfter(1_000, 1_000);
    expect(tookMs).toBeGreaterThanOrEqual(599);
  });

  it("is never over once it was ended, also while the machine is looked at", async () => {
    let wasLate = false;
    const looks: (() => void)[] = [];
    const looked = new Promise<void>((resolve) => looks.push(resolve));
    const answers: ((slowness: number) => void)[] = [];
    const end = startTimeLimit(
      1,
      () => {
        wasLate = true;
      },
      () => {
        for (const look of looks) look();
        return new Promise((resolve) => answers.push(resolve));
      },
    );
    await looked;
    end();
    for (const answer of answers) answer(1);
    await new Promise(setImmediate);
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
