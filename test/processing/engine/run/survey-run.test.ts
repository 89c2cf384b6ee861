import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { SurveyInput } from "../../../../processing/engine/port/engine.ts";
import { openStageStore, type StageStore } from "../../../../processing/engine/run/stage-store.ts";
import { createSurveyRun } from "../../../../processing/engine/run/survey-run.ts";
import { ThreadPool } from "../../../../processing/pool/pool.ts";

const STAGE = { name: "test", version: 1 };
const pool = new ThreadPool({ threads: 1, memoryBytes: 2 ** 30 });
// Nothing here reads it.
const input = {} as SurveyInput;

describe("one run of a survey", () => {
  let dir: string;
  let store: StageStore;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), "survey-run-"));
    store = await openStageStore(dir);
  });
  afterEach(() => rm(dir, { recursive: true }));

  function start() {
    const cancel = new AbortController();
    const seen: number[] = [];
    const run = createSurveyRun(input, pool, store, {
      signal: cancel.signal,
      onProgress: ({ percent }) => seen.push(percent),
      weights: { first: 1, second: 3 },
    });
    return { run, cancel, seen };
  }

  it("one run of a survey counts stages by their weights, and never back", () => {
    const { run, seen } = start();
    run.advance("first", 0.5);
    run.advance("second", 0.5);
    run.advance("first", 1);
    run.advance("second", 1);
    expect(seen).toEqual([12.5, 62.5, 62.5, 100]);
  });

  it("one run of a survey times each stage from its first word to the next one's", () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    try {
      const { run } = start();
      vi.advanceTimersByTime(500);
      run.advance("first", 0.5);
      vi.advanceTimersByTime(1_500);
      run.advance("first", 1);
      run.advance("second", 0);
      vi.advanceTimersByTime(250);
      expect(run.timings()).toEqual([
        { stage: "first", seconds: 2 },
        { stage: "second", seconds: 0.25 },
      ]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("one run of a survey holds memory of the pool until it ends", async () => {
    const { run } = start();
    await run.hold(1e8);
    expect(pool.usedBytes).toBe(1e8);
    run.end();
    run.end();
    expect(pool.usedBytes).toBe(0);
  });

  it("does itself what another run was cancelled at", async () => {
    const [one, other] = [start(), start()];
    const begun = promiseOf<void>();
    const first = one.run.once(STAGE, ["x"], () => {
      begun.resolve();
      return delay(60_000, "never", { signal: one.run.signal });
    });
    await begun.promise;
    const second = other.run.once(STAGE, ["x"], async () => "done by the other");
    one.cancel.abort();
    await expect(first).rejects.toMatchObject({ name: "AbortError" });
    expect((await second).value).toBe("done by the other");
  });

  it("stops waiting for another run's work when it is cancelled itself", async () => {
    const [one, other] = [start(), start()];
    const work = promiseOf<string>();
    const first = one.run.once(STAGE, ["y"], () => work.promise);
    const second = other.run.once(STAGE, ["y"], async () => "not asked");
    other.cancel.abort();
    await expect(second).rejects.toMatchObject({ name: "AbortError" });
    work.resolve("of the first");
    expect((await first).value).toBe("of the first");
  });
});

/** Node 20 has no `Promise.withResolvers`. */
function promiseOf<T>() {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
