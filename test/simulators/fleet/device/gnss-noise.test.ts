import { expect, it } from "vitest";
import { createGnssNoise } from "../../../../simulators/fleet/device/gnss-noise.ts";
import { createRandom } from "../../../../simulators/randomness/random.ts";

/** Errors at 1 Hz, east and north after each other. */
function errors(sigmaM: number, correlationS: number, count: number) {
  const noise = createGnssNoise(createRandom("noise"), sigmaM, correlationS);
  const all = Array.from({ length: count }, (_, i) => noise.errorAt(i * 1_000));
  return [all.map(({ eastM }) => eastM), all.map(({ northM }) => northM)];
}

function covariance(a: readonly number[], lag: number): number {
  let sum = 0;
  for (let i = lag; i < a.length; i += 1) sum += (a[i] ?? 0) * (a[i - lag] ?? 0);
  return sum / (a.length - lag);
}

it("has the stated deviation per axis, 2 m, and a correlation that falls to 1/e in 60 s", () => {
  // 200,000 s are about 1,700 independent pairs of errors 120 s apart: 2.5 % standard error.
  for (const axis of errors(2, 60, 200_000)) {
    const variance = covariance(axis, 0);
    expect(Math.sqrt(variance)).toBeGreaterThan(1.85);
    expect(Math.sqrt(variance)).toBeLessThan(2.15);
    const after60s = covariance(axis, 60) / variance;
    expect(after60s).toBeGreaterThan(Math.exp(-1) - 0.09);
    expect(after60s).toBeLessThan(Math.exp(-1) + 0.09);
    const after1s = covariance(axis, 1) / variance;
    expect(after1s).toBeGreaterThan(0.975);
    expect(after1s).toBeLessThan(0.99);
  }
});

it("GNSS noise keeps its deviation when it is read in uneven steps", () => {
  const random = createRandom("steps");
  const noise = createGnssNoise(createRandom("noise"), 3, 50);
  let timeMs = 0;
  let sum = 0;
  for (let i = 0; i < 20_000; i += 1) {
    timeMs += random.exponential(100) * 1_000;
    sum += noise.errorAt(timeMs).eastM ** 2;
  }
  const deviationM = Math.sqrt(sum / 20_000);
  expect(deviationM).toBeGreaterThan(2.85);
  expect(deviationM).toBeLessThan(3.15);
});

it("GNSS noise is independent between the axes", () => {
  const [east = [], north = []] = errors(2, 10, 50_000);
  const product = east.reduce((total, value, i) => total + value * (north[i] ?? 0), 0);
  // 50,000 s at a correlation time of 10 s: about 5,000 independent pairs, 4 standard errors.
  expect(Math.abs(product / east.length / 4)).toBeLessThan(0.06);
});
