import { expect, test } from "vitest";
import { rectangle, siteOf } from "./site.ts";
import { drive, fixAt, fixesAt, inShort, START_MS, stay, tell } from "./walk.ts";

const field = rectangle("field", [0, -500, 1_000, 500]);
const told = (...args: Parameters<typeof tell>) => tell(...args).crossings.map(inShort);

test("the first fix ever is believed at once", () => {
  expect(told(siteOf(field), fixesAt([[0, 1]]))).toEqual(["field entered 0 first_fix"]);
  expect(told(siteOf(field), fixesAt([[0, -1]]))).toEqual([]);
});

test("(0, 0) is no fix, and yet moves the clock", () => {
  const { crossings, fold } = tell(siteOf(field), [
    ...stay(0, 100, 200),
    { tMs: START_MS + 100_000, lonDeg: 0, latDeg: 0, accuracyM: 3 },
    { tMs: START_MS + 110_000, lonDeg: 0, latDeg: 0, accuracyM: 3 },
    { tMs: START_MS + 120_000, lonDeg: 0, latDeg: 0, accuracyM: 3 },
  ]);

  expect(crossings.map(inShort)).toEqual(["field entered 0 first_fix"]);
  expect(fold.clockMs).toBe(START_MS + 120_000);
});

test("one fix 5 km away tells nothing, while the asset stands or drives", () => {
  const standing = [...stay(0, 600, 200), fixAt(600, 5_200), ...stay(610, 1_200, 200)];
  const driving = [
    ...drive(0, [100, 400], 20, 2),
    fixAt(110, 5_400),
    ...fixesAt([
      [112, 420],
      [114, 431],
    ]),
  ];

  expect(told(siteOf(field), standing)).toEqual(["field entered 0 first_fix"]);
  expect(told(siteOf(field), driving)).toEqual(["field entered 0 first_fix"]);
});

test("fixes 5 km away on alternating sides tell nothing", () => {
  const fixes = stay(0, 600, 200).map((fix, i) =>
    i % 5 === 4 ? fixAt(i * 10, i % 2 === 0 ? 5_200 : -5_200) : fix,
  );

  expect(told(siteOf(field), fixes)).toEqual(["field entered 0 first_fix"]);
});

test("two fixes 5 km away that agree with each other are believed, at the second", () => {
  const fixes = [...stay(0, 600, 200), fixAt(600, 5_200), fixAt(610, 5_210)];

  expect(told(siteOf(field), fixes)).toEqual(["field entered 0 first_fix", "field exited 610"]);
});

test("150 km/h is believed, 160 km/h is not", () => {
  // 416.7 m in 10 s are 150 km/h; both accuracies together excuse 6 m.
  const at = (kmh: number) => [fixAt(0, -100), fixAt(10, -100 + (kmh / 3.6) * 10 + 6)];

  expect(told(siteOf(field), at(149.9))).toEqual(["field entered 10"]);
  expect(told(siteOf(field), at(160))).toEqual([]);
});

test("no way is inferred to a place that cannot have been reached", () => {
  const strip = rectangle("strip", [2_000, -500, 2_200, 500]);
  const fixes = [...stay(0, 600, 200), fixAt(600, 5_200), fixAt(610, 5_210)];

  expect(told(siteOf(strip), fixes)).toEqual([]);
});
