import { describe, expect, test } from "vitest";
import { DEFAULT_CROSSING_RULES } from "../../../domain/geofence.ts";
import { rectangle, siteAt, siteOf } from "./site.ts";
import { drive, fixAt, inShort, START_MS, stay, tell } from "./walk.ts";

/** 100 m wide, across the way. */
const strip = rectangle("strip", [100, -500, 200, 500]);
/** Seen to move, 50 m before the strip at t = 58 s. */
const approach = drive(0, [-300, 50], 21.6, 2);
const told = (...args: Parameters<typeof tell>) => tell(...args).crossings.map(inShort);

describe("a fence that lies between two fixes", () => {
  test("is told as entered and left, at the times of the straight way between them", () => {
    // 48 m at t = 58 s, 348 m at t = 158 s: 3 m/s, the edges at 52 m and 152 m of the way.
    const fixes = [...approach, fixAt(158, 348)];

    const { crossings } = tell(siteOf(strip), fixes);

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

  test("is not told after a gap of more than 15 minutes", () => {
    expect(told(siteOf(strip), [...approach, fixAt(58 + 900, 348)])).toHaveLength(2);
    expect(told(siteOf(strip), [...approach, fixAt(58 + 901, 348)])).toEqual([]);
  });

  test("is not told when the way inside is not longer than twice the accuracy", () => {
    const last = fixAt(158, 348);

    expect(told(siteOf(strip), [...approach, { ...last, accuracyM: 49 }])).toHaveLength(2);
    expect(told(siteOf(strip), [...approach, { ...last, accuracyM: 51 }])).toEqual([]);
  });

  test("is not told when the way only grazes it", () => {
    // 300 m of the way lie inside, but never more than 2 m deep.
    const meadow = rectangle("meadow", [0, -2, 300, 500]);
    const fixes = [...drive(0, [-300, -50], 21.6, 2), fixAt(200, 400)];

    expect(told(siteOf(meadow), fixes)).toEqual([]);
  });

  test("is not told less than 10 m deep, nor less than the accuracy", () => {
    const fixes = [...drive(0, [-300, -50], 21.6, 2), fixAt(200, 400)];
    const meadow = (southM: number) => siteOf(rectangle("meadow", [0, southM, 300, 500]));
    const wide = fixes.map((fix) => ({ ...fix, accuracyM: 20 }));

    expect(told(meadow(-9), fixes)).toEqual([]);
    expect(told(meadow(-11), fixes)).toHaveLength(2);
    expect(told(meadow(-19), wide)).toEqual([]);
    expect(told(meadow(-21), wide)).toHaveLength(2);
  });

  test("is not told when it was crossed in less than its dwell time", () => {
    const rules = { ...DEFAULT_CROSSING_RULES, min_dwell_s: 34 };
    const fixes = [...approach, fixAt(158, 348)];

    expect(told(siteOf({ ...strip, rules }), fixes)).toEqual([]);
    expect(told(siteOf({ ...strip, rules: { ...rules, min_dwell_s: 33 } }), fixes)).toHaveLength(2);
  });

  test("is not told when it was drawn after the asset had passed", () => {
    const fixes = [...approach, fixAt(158, 348)];
    const drawnAt = (atS: number) => siteOf({ ...strip, validFromMs: START_MS + atS * 1000 });

    expect(told(drawnAt(75), fixes)).toHaveLength(2);
    expect(told(drawnAt(90), fixes)).toEqual([]);
  });

  test("is told when the asset has just left the place where it stood", () => {
    const fixes = [...stay(0, 600, 0), fixAt(660, 400), fixAt(720, 800)];

    expect(told(siteOf(strip), fixes)).toEqual([
      // From the last fix of the stay, t = 590 s: 400 m in 70 s.
      "strip entered 607.5 inferred",
      "strip exited 625 inferred",
    ]);
  });

  test("is not told while an asset that stands is shown on either side of it by turns", () => {
    const thin = rectangle("thin", [-6, -500, 6, 500]);
    const fixes = Array.from({ length: 500 }, (_, i) => fixAt(i * 10, i % 2 === 0 ? -12 : 12));

    expect(told(siteOf(thin), fixes)).toEqual([]);
  });
});
