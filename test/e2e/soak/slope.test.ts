import { describe, expect, it } from "vitest";
import { seededRandom } from "../../support/seeded-random.ts";
import { checkSlope, commonSlope } from "./slope.ts";

/** One life of ten minutes, a sample every 10 s. */
function life(startH: number, valueAt: (timeH: number) => number) {
  const timesH = Array.from({ length: 60 }, (_, i) => startH + i / 360);
  return { timesH, values: timesH.map(valueAt) };
}

describe("the slope over lives", () => {
  it("the slope over lives is that of the lines, whatever level each life starts from", () => {
    const lives = [0, 1, 2].map((h) => life(h, (t) => 100 - 20 * h + 3 * (t - h)));
    const slope = commonSlope(lives);
    expect(slope.perHour).toBeCloseTo(3, 9);
    expect(slope.standardError).toBeCloseTo(0, 9);
  });

  it("the slope over lives has the standard error of ordinary least squares", () => {
    // x = 0, 1, 2, 3 and y = 0, 1, 1, 2: slope 3/5, residual sum of squares 1/5, 2 degrees of freedom.
    const slope = commonSlope([{ timesH: [0, 1, 2, 3], values: [0, 1, 1, 2] }]);
    expect(slope.perHour).toBeCloseTo(0.6, 12);
    expect(slope.standardError).toBeCloseTo(Math.sqrt(0.2 / 2 / 5), 12);
  });

  it("the slope over lives finds 2 MB/h in six lives with 1 MB of noise within four standard errors", () => {
    const random = seededRandom(7);
    const lives = [0, 1, 2, 3, 4, 5].map((h) => life(h, (t) => 2 * t + random() - 0.5));
    const { perHour, standardError } = commonSlope(lives);
    expect(standardError).toBeGreaterThan(0.1);
    expect(standardError).toBeLessThan(0.5);
    expect(Math.abs(perHour - 2)).toBeLessThan(4 * standardError);
  });

  it.each([
    [{ perHour: 0.9, standardError: 0.5 }, "passed"],
    [{ perHour: 1.1, standardError: 0.5 }, "failed"],
    [{ perHour: 1.9, standardError: 0.6 }, "open"],
    [{ perHour: 2.3, standardError: 0.6 }, "failed"],
    [commonSlope([]), "open"],
  ] as const)("%j against 1 MB/h is %s", (slope, outcome) => {
    expect(checkSlope(slope, 1)).toBe(outcome);
  });
});
