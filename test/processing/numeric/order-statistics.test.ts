import { expect, it } from "vitest";
import { firstWhere, lowerBound } from "../../../processing/numeric/bisection.ts";
import { meanMedian, upperMedian } from "../../../processing/numeric/median.ts";
import { floorRank, roundRank } from "../../../processing/numeric/quantile.ts";

it("the upper median is one of the values, the mean median lies between the two in the middle", () => {
  const values = [9, 1, 10, 2];
  expect([upperMedian(values), meanMedian(values)]).toEqual([9, 5.5]);
  expect([upperMedian([3, 1, 2]), meanMedian([3, 1, 2])]).toEqual([2, 2]);
  expect([upperMedian([]), meanMedian([])]).toEqual([undefined, undefined]);
  expect(values).toEqual([9, 1, 10, 2]);
});

it("medians of typed arrays are those of lists, and leave the array as it was", () => {
  const single = Float32Array.of(9, 1, 10, 2);
  expect([upperMedian(single), meanMedian(single)]).toEqual([9, 5.5]);
  expect([...single]).toEqual([9, 1, 10, 2]);
  expect(upperMedian(Float64Array.of(Number.NaN, 3, 1))).toBe(3);
});

it("quantiles take the rank that their name says", () => {
  const rising = [0, 10, 20, 30];
  expect([0, 0.25, 0.49, 0.5, 1].map((share) => floorRank(rising, share))).toEqual([
    0, 10, 10, 20, 30,
  ]);
  expect([0, 0.16, 0.17, 0.84, 1].map((share) => roundRank(rising, share))).toEqual([
    0, 0, 10, 30, 30,
  ]);
  expect([floorRank([], 0.5), roundRank([], 0.5)]).toEqual([undefined, undefined]);
});

it("bisection finds the first of many, and the end where there is none", () => {
  const rising = Float64Array.of(1, 2, 2, 5);
  expect([0, 2, 3, 5, 6].map((least) => lowerBound(rising, least))).toEqual([0, 1, 3, 3, 4]);
  expect(firstWhere(1_000, (n) => n * n >= 5_000)).toBe(71);
  expect([
    firstWhere(7, () => false),
    firstWhere(7, () => true),
    firstWhere(0, () => true),
  ]).toEqual([7, 0, 0]);
});
