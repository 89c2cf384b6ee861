import { describe, expect, test } from "vitest";
import { DEFAULT_CROSSING_RULES } from "../../../domain/geometry/geofence.ts";
import { fencesHeld } from "../../../ingest/geofence/fence-fold.ts";
import { rectangle, siteAt, siteOf } from "./site.ts";
import { drive, fixAt, fixesAt, foldFixes, inShort, START_MS, stay } from "./walk.ts";

const field = rectangle("field", [0, -500, 1_000, 500]);
const crossingsOf = (...args: Parameters<typeof foldFixes>) =>
  foldFixes(...args).crossings.map(inShort);

describe("an asset that drives over an edge", () => {
  test("an asset enters at the second fix that is inside by more than the accuracy, dated at the first", () => {
    // 20 km/h, a fix every 2 s: 11.1 m from fix to fix, 6 m inside at t = 36 s and 17 m at 38 s.
    const fixes = drive(0, [-194, 40], 20, 2);
    const timeline = siteOf(field);

    expect(crossingsOf(timeline, fixes.slice(0, 19))).toEqual([]);
    expect(crossingsOf(timeline, fixes.slice(0, 20))).toEqual(["field entered 36"]);
  });

  test("an asset enters at a single fix more than 30 m inside", () => {
    const fixes = fixesAt([
      [0, -300],
      [10, -230],
      [20, -160],
      [30, -90],
      [40, -20],
      [50, 40],
    ]);

    expect(crossingsOf(siteOf(field), fixes)).toEqual(["field entered 50"]);
  });

  test("an asset exits where it leaves the fence, and the fold no longer holds it", () => {
    const { crossings, fold } = foldFixes(siteOf(field), [
      ...drive(0, [800, 940], 20, 2),
      ...fixesAt([
        [60, 990],
        [64, 1_015],
        [68, 1_035],
      ]),
    ]);

    expect(crossings.map(inShort)).toEqual(["field entered 0 first_fix", "field exited 64"]);
    expect(crossings[1]?.location).toEqual({
      latitude: siteAt(1_015, 0).latDeg,
      longitude: siteAt(1_015, 0).lonDeg,
    });
    expect(fencesHeld(fold)).toEqual([]);
  });

  test("an asset that drives over an edge needs more than twice the accuracy where the accuracy is poor", () => {
    const approach = fixesAt(
      [
        [0, -300],
        [10, -230],
        [20, -160],
        [30, -90],
        [40, -20],
      ],
      25,
    );

    expect(crossingsOf(siteOf(field), [...approach, fixAt(50, 49, 0, 25)])).toEqual([]);
    expect(crossingsOf(siteOf(field), [...approach, fixAt(50, 51, 0, 25)])).toEqual([
      "field entered 50",
    ]);
  });

  test("an asset that drives over an edge needs as many fixes as the fence asks for", () => {
    const strict = rectangle("strict", [0, -500, 1_000, 500], {
      rules: { ...DEFAULT_CROSSING_RULES, exit_buffer_m: 1_000, confirm_fixes: 4 },
    });
    const fixes = drive(0, [-200, 100], 36, 1);

    // 10 m from fix to fix: 10, 20, 30 and 40 m inside at t = 21, 22, 23 and 24 s.
    expect(crossingsOf(siteOf(strict), fixes.slice(0, 24))).toEqual([]);
    expect(crossingsOf(siteOf(strict), fixes.slice(0, 25))).toEqual(["strict entered 21"]);
  });

  test("an asset enters only after the fence's dwell time, dated at the first fix inside", () => {
    const dwell = rectangle("dwell", [0, -500, 1_000, 500], {
      rules: { ...DEFAULT_CROSSING_RULES, min_dwell_s: 60 },
    });
    const fixes = drive(0, [-200, 700], 36, 5);

    // 50 m from fix to fix: the first one inside is at 50 m (t = 25 s).
    expect(crossingsOf(siteOf(dwell), fixes.slice(0, 17))).toEqual([]);
    expect(crossingsOf(siteOf(dwell), fixes.slice(0, 18))).toEqual(["dwell entered 25"]);
  });

  test("an asset that leaves before the dwell time has not entered", () => {
    const strip = rectangle("strip", [0, -500, 200, 500], {
      rules: { ...DEFAULT_CROSSING_RULES, min_dwell_s: 60 },
    });

    expect(crossingsOf(siteOf(strip), drive(0, [-200, 600], 36, 5))).toEqual([]);
  });

  test("an entry by a single fix inside is reported once the next fix lies outside again", () => {
    const strip = rectangle("strip", [0, -500, 40, 500]);
    const fixes = fixesAt([
      [0, -270],
      [10, -200],
      [20, -130],
      [30, -60],
      [40, 20],
      [50, 90],
    ]);

    expect(crossingsOf(siteOf(strip), fixes)).toEqual(["strip entered 40", "strip exited 50"]);
  });
});

describe("a stationary asset", () => {
  test("a stationary asset is where the mean of its fixes lies: 10 m inside after a stay of some minutes, as of its start", () => {
    // The box is 20 m wide and the accuracy 15 m: no single fix can say that the asset is inside.
    const box = rectangle("box", [-10, -10, 10, 10]);
    const { crossings } = foldFixes(
      siteOf(box),
      [...drive(0, [-200, 0], 3, 10), ...stay(250, 3_600, 0)].map((fix) => ({
        ...fix,
        accuracyM: 15,
      })),
    );

    expect(crossings.map(({ type, inferred }) => ({ type, inferred }))).toEqual([
      { type: "entered", inferred: false },
    ]);
    expect(crossings[0]?.atMs).toBeLessThanOrEqual(START_MS + 250_000);
  });

  test("a stationary asset does not leave with one fix 60 m away, and does with the second", () => {
    const fixes = [...stay(0, 600, 980), fixAt(600, 1_040)];
    const timeline = siteOf(field);

    expect(crossingsOf(timeline, fixes)).toEqual(["field entered 0 first_fix"]);
    expect(crossingsOf(timeline, [...fixes, fixAt(610, 1_042)])).toEqual([
      "field entered 0 first_fix",
      "field exited 600",
    ]);
  });

  test.each([
    3, 5, 15,
  ])("a stationary asset goes 50 m in and back after 165 s near the edge, with an accuracy of %d m", (accuracyM) => {
    const fixes = [
      ...stay(0, 170, -10),
      ...fixesAt([
        [170, 20],
        [180, 50],
        [190, 20],
      ]),
      ...stay(200, 600, -10),
    ].map((fix) => ({ ...fix, accuracyM }));
    const crossings = crossingsOf(siteOf(field), fixes);

    expect(crossings).toHaveLength(2);
    expect(crossings[0]).toBe("field entered 170");
    expect(crossings[1]).toMatch(/^field exited (200|210)$/);
  });

  test("an asset that goes 60 m in and back exits where one of its scattered fixes is beyond exit_buffer_m", () => {
    // Fixes 5 m apart by turns: noise of 8 m, so that the stay reaches 43 m and one fix leaves it.
    const scattered = (fromS: number, toS: number) =>
      stay(fromS, toS, 0).map(({ tMs }, i) => fixAt((tMs - START_MS) / 1_000, -8 + 5 * (i % 2)));
    const pass = fixesAt([
      [170, 30],
      [180, 60],
      [190, 30],
    ]);
    const fixes = [...scattered(0, 170), ...pass, ...scattered(200, 600)];
    const buffer = (exit_buffer_m: number) =>
      siteOf({ ...field, rules: { ...DEFAULT_CROSSING_RULES, exit_buffer_m } });

    expect(crossingsOf(buffer(30), fixes)).toEqual(["field entered 170", "field exited 200"]);
    expect(crossingsOf(buffer(58), fixes)).toEqual([]);
  });

  test("a stationary asset is not moved by one fix 60 m away before its noise is known", () => {
    const fixes = [...stay(0, 170, 980), fixAt(170, 1_040), ...stay(180, 600, 980)];

    expect(crossingsOf(siteOf(field), fixes)).toEqual(["field entered 0 first_fix"]);
  });

  test("a stationary asset is not moved by fixes that wander 8 m over the edge, however many", () => {
    const wandering = Array.from({ length: 2_000 }, (_, i) =>
      fixAt(i * 10, Math.floor(i / 7) % 2 === 0 ? -8 : 8),
    );

    expect(crossingsOf(siteOf(field), wandering)).toEqual([]);
  });
});

describe("fences that overlap", () => {
  test("fences that overlap are entered and left each by itself", () => {
    const timeline = siteOf(
      rectangle("a", [0, -500, 400, 500]),
      rectangle("b", [200, -500, 600, 500]),
    );

    // 50 m from fix to fix, the first at -275 m: beyond 0 at t = 30 s (25 m), beyond 200 at 50 s, ...
    expect(crossingsOf(timeline, drive(0, [-275, 900], 36, 5))).toEqual([
      "a entered 30",
      "b entered 50",
      "a exited 70",
      "b exited 90",
    ]);
  });

  test("overlapping fences crossed at one fix are reported in the order of their ids, whatever order they came in", () => {
    const fixes = fixesAt([[0, 50]]);
    const a = rectangle("a", [0, -500, 400, 500]);
    const b = rectangle("b", [0, -500, 400, 500]);

    expect(crossingsOf(siteOf(a, b), fixes)).toEqual([
      "a entered 0 first_fix",
      "b entered 0 first_fix",
    ]);
    expect(crossingsOf(siteOf(b, a), fixes)).toEqual([
      "a entered 0 first_fix",
      "b entered 0 first_fix",
    ]);
  });
});
