import { expect, it } from "vitest";
import { judge, type Pair } from "../../bench/paired/judge.ts";

const pairsOf = (ratios: readonly number[]): Pair[] =>
  ratios.map((ratio, i) => ({ now: { fix: ratio * (1 + i) }, before: { fix: 1 + i } }));

it.each([
  [[1.3, 1.25, 1.4, 1.2, 1.31], true, "each pair is above"],
  [[1.3, 1.25, 1.4, 1.2, 0.9], true, "four of five are above"],
  [[1.3, 1.25, 1.4, 0.9, 0.9], false, "three of five are above"],
  [[1.1, 1.14, 1.15, 1.2, 1.9], false, "the median is not above"],
  [[0.5, 0.6, 0.5, 0.7, 0.5], false, "it costs less"],
  [[1, 1.02, 0.97, 3, 1.01], false, "one pair was disturbed"],
])("a unit that costs %j times as much as before counts as risen: %s (%s)", (ratios, hasRisen) => {
  expect(judge(pairsOf(ratios), 1.15).map((verdict) => verdict.hasRisen)).toEqual([hasRisen]);
});

it("says the medians, and leaves out what one of the two does not measure", () => {
  const pairs: Pair[] = [
    { now: { a: 2, b: 1 }, before: { a: 4 } },
    { now: { a: 3, b: 1 }, before: { a: 4 } },
    { now: { a: 8, b: 1 }, before: { a: 4 } },
  ];
  expect(judge(pairs, 1.15)).toEqual([
    { unit: "a", nowUs: 3, beforeUs: 4, ratio: 0.75, lowest: 0.5, highest: 2, hasRisen: false },
  ]);
});
