import { expect, test } from "vitest";
import { rectangle, siteOf } from "./site.ts";
import { drive, fixAt, fixesAt, foldFixes, inShort, START_MS, stay } from "./walk.ts";

const field = rectangle("field", [0, -500, 1_000, 500]);
const crossingsOf = (...args: Parameters<typeof foldFixes>) =>
  foldFixes(...args).crossings.map(inShort);

test("the first fix ever is believed at once", () => {
  expect(crossingsOf(siteOf(field), fixesAt([[0, 1]]))).toEqual(["field entered 0 first_fix"]);
  expect(crossingsOf(siteOf(field), fixesAt([[0, -1]]))).toEqual([]);
});

test("(0, 0) is not a fix but still moves the clock", () => {
  const { crossings, fold } = foldFixes(siteOf(field), [
    ...stay(0, 100, 200),
    { tMs: START_MS + 100_000, lonDeg: 0, latDeg: 0, accuracyM: 3 },
    { tMs: START_MS + 110_000, lonDeg: 0, latDeg: 0, accuracyM: 3 },
    { tMs: START_MS + 120_000, lonDeg: 0, latDeg: 0, accuracyM: 3 },
  ]);

  expect(crossings.map(inShort)).toEqual(["field entered 0 first_fix"]);
  expect(fold.clockMs).toBe(START_MS + 120_000);
});

test("one fix 5 km away causes no crossing while the asset is stationary or drives", () => {
  const standing = [...stay(0, 600, 200), fixAt(600, 5_200), ...stay(610, 1_200, 200)];
  const driving = [
    ...drive(0, [100, 400], 20, 2),
    fixAt(110, 5_400),
    ...fixesAt([
      [112, 420],
      [114, 431],
    ]),
  ];

  expect(crossingsOf(siteOf(field), standing)).toEqual(["field entered 0 first_fix"]);
  expect(crossingsOf(siteOf(field), driving)).toEqual(["field entered 0 first_fix"]);
});

test("fixes 5 km away on alternating sides cause no crossing", () => {
  const fixes = stay(0, 600, 200).map((fix, i) =>
    i % 5 === 4 ? fixAt(i * 10, i % 2 === 0 ? 5_200 : -5_200) : fix,
  );

  expect(crossingsOf(siteOf(field), fixes)).toEqual(["field entered 0 first_fix"]);
});

test("two fixes 5 km away that agree with each other are believed, at the second", () => {
  const fixes = [...stay(0, 600, 200), fixAt(600, 5_200), fixAt(610, 5_210)];

  expect(crossingsOf(siteOf(field), fixes)).toEqual([
    "field entered 0 first_fix",
    "field exited 610",
  ]);
});

test("150 km/h is believed, 160 km/h is not", () => {
  // 416.7 m in 10 s are 150 km/h; both accuracies together excuse 6 m.
  const at = (kmh: number) => [fixAt(0, -100), fixAt(10, -100 + (kmh / 3.6) * 10 + 6)];

  expect(crossingsOf(siteOf(field), at(149.9))).toEqual(["field entered 10"]);
  expect(crossingsOf(siteOf(field), at(160))).toEqual([]);
});

test("no path is inferred to an unreachable place", () => {
  const strip = rectangle("strip", [2_000, -500, 2_200, 500]);
  const fixes = [...stay(0, 600, 200), fixAt(600, 5_200), fixAt(610, 5_210)];

  expect(crossingsOf(siteOf(strip), fixes)).toEqual([]);
});
