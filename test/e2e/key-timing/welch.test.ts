import { describe, expect, it } from "vitest";
import { seededRandom } from "../../support/seeded-random.ts";
import { welchT, withoutSlowest } from "./welch.ts";

describe("welchT", () => {
  it("welchT is what the textbook says", () => {
    // Means 3 and 6, variances 2.5 and 10, n = 5 each: -3 / sqrt(0.5 + 2).
    expect(welchT([1, 2, 3, 4, 5], [2, 4, 6, 8, 10])).toBeCloseTo(-3 / Math.sqrt(2.5), 12);
  });

  it("welchT takes samples of unequal size", () => {
    // Variances 1 and 4: (2 - 4) / sqrt(1/3 + 4/2) with the second of two values 4 -+ sqrt(2).
    const root = Math.SQRT2;
    expect(welchT([1, 2, 3], [4 - root, 4 + root])).toBeCloseTo(-2 / Math.sqrt(1 / 3 + 2), 12);
  });

  it("welchT is 0 for the same constants and not finite for different ones", () => {
    expect(welchT([2, 2], [2, 2])).toBe(0);
    expect(welchT([2, 2], [1, 1])).toBe(Number.POSITIVE_INFINITY);
  });
});

describe("withoutSlowest", () => {
  it("withoutSlowest finds a difference of a tenth of a spread that rare pauses would hide", () => {
    const random = seededRandom(7);
    const sample = (shift: number) =>
      Array.from({ length: 10_000 }, () => shift + random() + (random() < 0.01 ? 1_000 : 0));
    const [a, b] = [sample(0), sample(0.05)];
    expect(Math.abs(welchT(a, b))).toBeLessThan(4.5);
    expect(Math.abs(welchT(...withoutSlowest(a, b)))).toBeGreaterThan(4.5);
  });

  it("withoutSlowest finds nothing where nothing is", () => {
    const random = seededRandom(8);
    const sample = () => Array.from({ length: 10_000 }, () => random() ** 3);
    expect(Math.abs(welchT(...withoutSlowest(sample(), sample())))).toBeLessThan(4.5);
  });
});
