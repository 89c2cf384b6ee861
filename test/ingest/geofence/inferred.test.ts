import { describe, expect, test } from "vitest";
import { DEFAULT_CROSSING_RULES } from "../../../domain/geometry/geofence.ts";
import type { FenceFix } from "../../../ingest/geofence/crossing.ts";
import { rectangle, siteAt, siteOf } from "./site.ts";
import { drive, fixAt, foldFixes, inShort, START_MS, stay } from "./walk.ts";

/** 100 m wide, across the path. */
const strip = rectangle("strip", [100, -500, 200, 500]);
/** Seen to move, 50 m before the strip at t = 58 s. */
const approach = drive(0, [-300, 50], 21.6, 2);
const crossingsOf = (...args: Parameters<typeof foldFixes>) =>
  foldFixes(...args).crossings.map(inShort);

describe("a fence that lies between two fixes", () => {
  test("a fence between two fixes is entered and exited at the times of the straight path between them", () => {
    // 48 m at t = 58 s, 348 m at t = 158 s: 3 m/s, the edges at 52 m and 152 m of the path.
    const fixes = [...approach, fixAt(158, 348)];

    const { crossings } = foldFixes(siteOf(strip), fixes);

    expect(
      crossings.map(({ type, atMs, inferred, cause, bounds }) => ({
        ...{ type, inferred, cause, bounds },
        atS: Math.round((atMs - START_MS) / 100) / 10,
      })),
    ).toEqual(
      [
        ["entered", 75.3],
        ["exited", 108.7],
      ].map(([type, atS]) => ({
        ...{ type, atS },
        inferred: true,
        cause: "crossing",
        bounds: { afterMs: START_MS + 58_000, beforeMs: START_MS + 158_000 },
      })),
    );
    expect(crossings.map(({ atMs }) => Number.isInteger(atMs))).toEqual([true, true]);
    expect(crossings[0]?.location.longitude).toBeCloseTo(siteAt(100, 0).lonDeg, 6);
    expect(crossings[1]?.location.longitude).toBeCloseTo(siteAt(200, 0).lonDeg, 6);
  });

  test("a fence between two fixes is not crossed after a gap of more than 15 minutes", () => {
    expect(crossingsOf(siteOf(strip), [...approach, fixAt(58 + 900, 348)])).toHaveLength(2);
    expect(crossingsOf(siteOf(strip), [...approach, fixAt(58 + 901, 348)])).toEqual([]);
  });

  test("a fence between two fixes is not crossed when the accuracy of one end lets the path miss it", () => {
    // 48 m before the strip and 148 m beyond: shifted back by 248 m, or on by 152 m, the path misses it.
    const last = fixAt(158, 348);

    expect(crossingsOf(siteOf(strip), [...approach, { ...last, accuracyM: 290 }])).toEqual([]);
    expect(crossingsOf(siteOf(strip), [...approach, { ...last, accuracyM: 140 }])).toHaveLength(2);
  });

  test("a fence between two fixes is not crossed when the path only grazes it", () => {
    // 300 m of the path lie inside, but never more than 2 m deep.
    const meadow = rectangle("meadow", [0, -2, 300, 500]);
    const fixes = [...drive(0, [-300, -50], 21.6, 2), fixAt(200, 400)];

    expect(crossingsOf(siteOf(meadow), fixes)).toEqual([]);
  });

  test("a fence between two fixes is not crossed when a road may go round it, however exact the fixes are", () => {
    // The path is 452 m long: a road along it may bend by 90 m in its middle, and by 80 m over the meadow's corners.
    const fixes = [...drive(0, [-300, -50], 21.6, 2), fixAt(200, 400)];
    const meadow = (southM: number) => siteOf(rectangle("meadow", [100, southM, 250, 500]));

    expect(crossingsOf(meadow(-75), fixes)).toEqual([]);
    expect(crossingsOf(meadow(-95), fixes)).toHaveLength(2);
  });

  test("a fence between two fixes is not entered when it was crossed in less than its dwell time", () => {
    const rules = { ...DEFAULT_CROSSING_RULES, min_dwell_s: 34 };
    const fixes = [...approach, fixAt(158, 348)];

    expect(crossingsOf(siteOf({ ...strip, rules }), fixes)).toEqual([]);
    expect(
      crossingsOf(siteOf({ ...strip, rules: { ...rules, min_dwell_s: 33 } }), fixes),
    ).toHaveLength(2);
  });

  test("a fence between two fixes is not crossed when it was drawn after the asset had passed", () => {
    const fixes = [...approach, fixAt(158, 348)];
    const drawnAt = (atS: number) => siteOf({ ...strip, validFromMs: START_MS + atS * 1000 });

    expect(crossingsOf(drawnAt(75), fixes)).toHaveLength(2);
    expect(crossingsOf(drawnAt(90), fixes)).toEqual([]);
  });

  test("a fence between two fixes is crossed when the asset has just left the place of its stay", () => {
    const fixes = [...stay(0, 600, 0), fixAt(660, 400), fixAt(720, 800)];

    expect(crossingsOf(siteOf(strip), fixes)).toEqual([
      // From the last fix of the stay, t = 590 s: 400 m in 70 s.
      "strip entered 607.5 inferred",
      "strip exited 625 inferred",
    ]);
  });

  test("a fence is not crossed while a stationary asset is shown on either side of it by turns", () => {
    const thin = rectangle("thin", [-6, -500, 6, 500]);
    const fixes = Array.from({ length: 500 }, (_, i) => fixAt(i * 10, i % 2 === 0 ? -12 : 12));

    expect(crossingsOf(siteOf(thin), fixes)).toEqual([]);
  });
});

describe("a lane 8 m wide and 200 m long", () => {
  const lane = rectangle("lane", [56, -100, 64, 100]);
  /** 2 m/s, a fix in 10 s: 20 m apart, the last at 50 m. */
  const comes = drive(0, [-130, 50], 7.2, 10);

  test("a lane 8 m wide is crossed between two fixes 20 m apart on either side of it", () => {
    expect(crossingsOf(siteOf(lane), [...comes, fixAt(100, 70)])).toEqual([
      "lane entered 93 inferred",
      "lane exited 97 inferred",
    ]);
  });

  test("a lane 8 m wide is crossed where one fix lies in it, within its accuracy", () => {
    const fixes = [...comes, fixAt(100, 60), fixAt(110, 75), fixAt(120, 95)].map((fix) => ({
      ...fix,
      accuracyM: 5,
    }));

    expect(crossingsOf(siteOf(lane), fixes)).toEqual([
      "lane entered 96 inferred",
      "lane exited 102.667 inferred",
    ]);
  });

  test("a lane is crossed where its rules ask for more fixes than lie in it", () => {
    const rules = { ...DEFAULT_CROSSING_RULES, confirm_fixes: 3 };
    const wide = rectangle("lane", [56, -100, 76, 100], { rules });

    expect(crossingsOf(siteOf(wide), [...comes, fixAt(100, 66), fixAt(110, 90)])).toEqual([
      "lane entered 93.75 inferred",
      "lane exited 104.167 inferred",
    ]);
  });

  test("a lane is not crossed where the asset turns round in it", () => {
    const fixes = [...comes, fixAt(100, 58), fixAt(110, 40), fixAt(120, 20)];

    expect(crossingsOf(siteOf(lane), fixes)).toEqual([]);
  });

  test("a lane is not crossed where it ends beside the path", () => {
    const short = rectangle("lane", [56, -1, 64, 199]);

    expect(crossingsOf(siteOf(short), [...comes, fixAt(100, 70)])).toEqual([]);
  });

  test("a lane is crossed once where the asset stops beyond it and seems to be in it again", () => {
    // 3 m beyond is within the doubt: the path stays open, and the next fix decides it.
    const stops = [...comes, fixAt(100, 67), fixAt(110, 62), fixAt(120, 76), fixAt(130, 100)];

    expect(crossingsOf(siteOf(lane), stops)).toEqual([
      "lane entered 93.529 inferred",
      "lane exited 98.235 inferred",
    ]);
  });

  test("a lane is crossed by fixes that pass it within 15 minutes and not by slower ones", () => {
    const last = (atS: number) => [...comes, fixAt(100, 60), fixAt(atS, 62), fixAt(atS + 10, 80)];

    expect(crossingsOf(siteOf(lane), last(110))).toHaveLength(2);
    expect(crossingsOf(siteOf(lane), last(989))).toEqual([]);
  });
});

describe("a corner of a fence that the straight path cuts by 3 m, up to 6 m beside the fence", () => {
  const yard = rectangle("yard", [0, 0, 200, 200]);
  /** Seen to move, from the west; at t = 70 s beside the south edge. */
  const comes = [...drive(0, [-250, -50], 14.4, 10), fixAt(60, -30, 30), fixAt(70, 25, -6)];
  /** With a receiver whose errors are far smaller than the distance to the fence. */
  const ofExact = (fixes: readonly FenceFix[]) =>
    crossingsOf(
      siteOf(yard),
      fixes.map((fix) => ({ ...fix, accuracyM: 1.5 })),
    );

  test("a cut corner is not a visit of its own where the machine comes in behind it", () => {
    const crossings = ofExact([...comes, fixAt(80, 60, 40), fixAt(90, 100, 60)]);

    expect(crossings).toEqual(["yard entered 80"]);
  });

  test.each([
    ["drives on outside", [fixAt(80, 60, -20), fixAt(90, 80, -60)]],
    [
      "stops there",
      stay(80, 800, 25).map((fix) => ({ ...fix, latDeg: comes.at(-1)?.latDeg ?? 0 })),
    ],
    ["is not heard of for long", [fixAt(1_200, 60, -60)]],
  ])("a cut corner becomes a visit once the machine %s", (_, goes) => {
    expect(ofExact(comes)).toEqual([]);
    expect(ofExact([...comes, ...goes])).toEqual([
      expect.stringMatching(/^yard entered 6\d.* inferred$/),
      expect.stringMatching(/^yard exited 6\d.* inferred$/),
    ]);
  });
});
