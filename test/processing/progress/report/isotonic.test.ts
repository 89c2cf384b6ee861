import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isotonic } from "../../../../processing/progress/report/isotonic.ts";

describe("isotonic regression", () => {
  it("isotonic regression leaves a rising row as it is", () => {
    expect(isotonic([1, 2, 2, 5], [1, 1, 1, 1])).toEqual([1, 2, 2, 5]);
  });

  it("isotonic regression pools neighbours that fall to their weighted mean", () => {
    // (3 x 30 + 1 x 10) / 4 = 25
    expect(isotonic([10, 30, 10, 40], [1, 3, 1, 1])).toEqual([10, 25, 25, 40]);
  });

  it("isotonic regression pools back as far as a fall reaches", () => {
    expect(isotonic([5, 6, 7, 2], [1, 1, 1, 1])).toEqual([5, 5, 5, 5]);
  });

  it("isotonic regression rises, keeps the weighted mean, and is nearer to the values than other rising rows", () => {
    const row = fc.array(
      fc.tuple(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 1, max: 9 })),
      { minLength: 1, maxLength: 12 },
    );
    const rising = fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 12, maxLength: 12 });
    fc.assert(
      fc.property(row, rising, (pairs, other) => {
        const values = pairs.map(([value]) => value);
        const weights = pairs.map(([, weight]) => weight);
        const fit = isotonic(values, weights);
        const loss = (row: readonly number[]) =>
          values.reduce(
            (sum, value, i) => sum + (weights[i] ?? 0) * (value - (row[i] ?? 0)) ** 2,
            0,
          );
        const sum = (row: readonly number[]) =>
          row.reduce((total, value, i) => total + value * (weights[i] ?? 0), 0);
        for (let i = 1; i < fit.length; i += 1)
          expect(fit[i]).toBeGreaterThanOrEqual(fit[i - 1] ?? 0);
        expect(sum(fit)).toBeCloseTo(sum(values), 6);
        expect(loss(fit)).toBeLessThanOrEqual(loss(other.toSorted((a, b) => a - b)) + 1e-6);
      }),
      { numRuns: 60, seed: 7 },
    );
  });
});
