import { describe, expect, it } from "vitest";
import { createPace } from "../../../processing/map-tiles/pace.ts";

/** Work of 20 ms a piece at a pace of 100 ms at once, then half of the time; `nowMs` is a clock that only work and rests move. */
function openWork() {
  const state = { nowMs: 0, rests: [] as number[] };
  const paced = createPace({
    burstMs: 100,
    share: 0.5,
    now: () => state.nowMs,
    rest: async (ms) => {
      state.rests.push(ms);
      state.nowMs += ms;
    },
  });
  const piece = async () => {
    state.nowMs += 20;
  };
  return { state, work: () => paced(piece) };
}

describe("the pace of drawing", () => {
  it("a burst is worked without a rest, and what goes on for longer has half of the time", async () => {
    const { state, work } = openWork();
    // The first adds 20 ms, each of the others 20 less half of the time that it takes: nine make 100 ms.
    for (let i = 0; i < 10; i += 1) await work();
    expect(state.rests).toEqual([]);
    const sinceMs = state.nowMs;
    for (let i = 0; i < 50; i += 1) await work();
    expect(state.rests).toEqual(Array.from({ length: 50 }, () => 20));
    expect(state.nowMs - sinceMs).toBe(50 * 40);
  });

  it("after a while without work there is a burst again", async () => {
    const { state, work } = openWork();
    for (let i = 0; i < 30; i += 1) await work();
    state.rests.length = 0;
    state.nowMs += 220;
    for (let i = 0; i < 10; i += 1) await work();
    expect(state.rests).toEqual([]);
  });

  it("work that fails counts as work, and fails as it did", async () => {
    let nowMs = 0;
    const rests: number[] = [];
    const paced = createPace({
      burstMs: 10,
      share: 0.5,
      now: () => nowMs,
      rest: async (ms) => rests.push(ms),
    });
    const failing = async () => {
      nowMs += 40;
      throw new Error("no");
    };
    await expect(paced(failing)).rejects.toThrow("no");
    await expect(paced(failing)).rejects.toThrow("no");
    expect(rests).toEqual([60]);
  });
});
