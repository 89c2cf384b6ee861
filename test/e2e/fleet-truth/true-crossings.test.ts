import { describe, expect, it } from "vitest";
import { machine, YARD } from "./scene.ts";
import { passagesOf } from "./true-crossings.ts";

/** From 100 m west to 100 m inside at 10 m/s, over the edge at 10 s. */
const INWARDS = [
  [0, -100],
  [5, -50],
  [7, -30],
  [13, 30],
  [15, 50],
  [20, 100],
] as const;

describe("passagesOf", () => {
  it("passagesOf calls a crossing clear that has fixes 10 m and more from the edge on both sides", () => {
    const truck = machine({
      way: INWARDS,
      fixesS: [1, 5, 9, 11, 15, 19],
      visitsS: [[10, undefined]],
    });

    expect(passagesOf(truck, YARD)).toEqual({
      start: "outside",
      crossings: [
        {
          assetId: "truck",
          fenceId: "yard",
          type: "entered",
          visibility: "clear",
          timesMs: [10_000],
          // 30 m away at 7 s and at 13 s: the fixes before and after that.
          fromMs: 5_000,
          toMs: 15_000,
        },
      ],
    });
  });

  it("passagesOf calls a visit that goes 9 m deep within the noise, whatever the fixes", () => {
    const way = [
      [0, -50],
      [5, 0],
      [6, 9],
      [7, 0],
      [12, -50],
    ] as const;
    const truck = machine({ way, fixesS: [0, 3, 6, 9, 12], visitsS: [[5, 7]] });

    const { crossings } = passagesOf(truck, YARD);
    expect(crossings.map(({ type, visibility }) => [type, visibility])).toEqual([
      ["entered", "within_noise"],
      ["exited", "within_noise"],
    ]);
  });

  it("passagesOf calls a visit that goes 80 m deep between two fixes by that name", () => {
    const way = [
      [0, -80],
      [8, 0],
      [16, 80],
      [24, 0],
      [32, -80],
    ] as const;
    const truck = machine({ way, fixesS: [0, 7, 25, 32], visitsS: [[8, 24]] });

    const { crossings } = passagesOf(truck, YARD);
    expect(crossings.map(({ type, visibility }) => [type, visibility])).toEqual([
      ["entered", "between_fixes"],
      ["exited", "between_fixes"],
    ]);
  });

  it("passagesOf takes three crossings within the noise for one, at either time, and two that no fix can show", () => {
    const way = [
      [0, -50],
      [5, 0],
      [6, 5],
      [7, 0],
      [8, -5],
      [9, 0],
      [14, 50],
    ] as const;
    const visitsS = [
      [5, 7],
      [9, undefined],
    ] as const;
    const truck = machine({ way, fixesS: [0, 6, 8, 14], visitsS });

    const { crossings } = passagesOf(truck, YARD);
    expect(crossings.map(({ type, visibility, timesMs }) => [type, visibility, timesMs])).toEqual([
      ["entered", "clear", [5_000, 9_000]],
      ["exited", "within_noise", [7_000]],
      ["entered", "within_noise", [9_000]],
    ]);
  });

  it("passagesOf accepts dates until the machine was stationary 20 m beyond the edge for 2 min, at the next fix", () => {
    const way = [
      [0, -100],
      [10, 0],
      [12, 20],
      [600, 20],
    ] as const;
    const fixesS = [0, 50, 100, 131, 133, 200];
    const truck = machine({ way, fixesS, visitsS: [[10, undefined]] });

    expect(passagesOf(truck, YARD).crossings).toMatchObject([
      { visibility: "clear", fromMs: 0, toMs: 133_000 },
    ]);
  });

  it("passagesOf takes no dates beyond the crossing back, at the next fix", () => {
    const way = [
      [0, -100],
      [10, 0],
      [12, 20],
      [14, 0],
      [24, -100],
    ] as const;
    const truck = machine({ way, fixesS: [0, 12, 15, 24], visitsS: [[10, 14]] });

    expect(passagesOf(truck, YARD).crossings).toMatchObject([
      { type: "entered", visibility: "clear", fromMs: 0, toMs: 15_000 },
      { type: "exited", visibility: "clear", fromMs: 0, toMs: 24_000 },
    ]);
  });

  it.each([
    ["inside", 40, 0, 0],
    ["outside", -40, 0, 0],
    ["unclear", 9, 1, 0],
    // An outlier came 5 s before.
    ["unclear", 40, 1, -5],
  ] as const)("passagesOf says that a machine begins %s at %i m", (start, eastM, expected, firstHeardS) => {
    const way = [
      [0, eastM],
      [10, eastM],
    ] as const;
    const visitsS = eastM > 0 ? ([[undefined, undefined]] as const) : [];
    const truck = machine({ way, fixesS: [0, 5, 10], visitsS, firstHeardS });

    const passages = passagesOf(truck, YARD);
    expect(passages.start).toBe(start);
    // What corrects an unclear start is expected, but need not come.
    expect(passages.crossings).toHaveLength(expected);
  });
});
