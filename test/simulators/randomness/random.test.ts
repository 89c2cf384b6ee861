import { describe, expect, it } from "vitest";
import { createRandom } from "../../../simulators/randomness/random.ts";

describe("createRandom", () => {
  it("createRandom gives the same stream for the same seed and another for another", () => {
    const stream = (seed: string) => {
      const random = createRandom(seed);
      return Array.from({ length: 50 }, () => random.next());
    };
    expect(stream("a")).toEqual(stream("a"));
    expect(stream("a")).not.toEqual(stream("b"));
  });

  it("createRandom forks by label, whatever was drawn before", () => {
    const fresh = createRandom("seed").fork("x");
    const used = createRandom("seed");
    for (let i = 0; i < 100; i += 1) used.next();
    expect(used.fork("x").next()).toBe(fresh.next());
    expect(used.fork("y").next()).not.toBe(used.fork("x").next());
  });

  it("createRandom draws normal numbers of mean 0 and variance 1 (20,000 draws, 4 standard errors)", () => {
    const random = createRandom("normal");
    const draws = Array.from({ length: 20_000 }, () => random.gaussian());
    const mean = draws.reduce((sum, x) => sum + x, 0) / draws.length;
    const variance = draws.reduce((sum, x) => sum + (x - mean) ** 2, 0) / draws.length;
    // Standard errors: 1/sqrt(n) = 0.0071 for the mean, sqrt(2/n) = 0.01 for the variance.
    expect(Math.abs(mean)).toBeLessThan(0.03);
    expect(Math.abs(variance - 1)).toBeLessThan(0.04);
  });

  it("createRandom waits exponentially with the stated mean", () => {
    const random = createRandom("wait");
    const sum = Array.from({ length: 20_000 }, () => random.exponential(30)).reduce(
      (a, b) => a + b,
      0,
    );
    // Standard error of the mean: 30/sqrt(20,000) = 0.21.
    expect(Math.abs(sum / 20_000 - 30)).toBeLessThan(0.9);
  });

  it("createRandom shuffles without losing or inventing an item, and picks only what is there", () => {
    const random = createRandom("mix");
    const items = Array.from({ length: 40 }, (_, i) => i);
    const mixed = random.shuffle(items);
    expect(mixed).not.toEqual(items);
    expect([...mixed].sort((a, b) => a - b)).toEqual(items);
    expect(items).toContain(random.pick(items));
    expect(() => random.pick([])).toThrow(RangeError);
  });
});
