import { expect, it } from "vitest";
import { positionScale } from "../../../../../processing/photogrammetry/orient/precision/position-drift.ts";
import { createRandom } from "../../../../../simulators/randomness/random.ts";

const DRAWS = 80;

/** Two strips of 8 images, to and fro, 8 m and 20 m apart, in the order of the flight; about their middle. */
const FLIGHT = Array.from({ length: 16 }, (_, i) => {
  const along = 8 * ((i % 8) - 3.5);
  return i < 8 ? [along, -10, 0] : [-along, 10, 0];
});
const SPREAD = Math.sqrt(FLIGHT.flat().reduce((sum, value) => sum + value ** 2, 0));

/** Errors of 1 m by axis, correlated so from each position to the next. */
function drawErrors(seed: number, correlation: number): Float64Array {
  const random = createRandom(`drift-${seed}`);
  const fresh = Math.sqrt(1 - correlation ** 2);
  const errors = new Float64Array(3 * FLIGHT.length);
  for (let i = 0; i < errors.length; i += 1) {
    const before = errors[i - 3];
    errors[i] =
      before === undefined ? random.gaussian() : correlation * before + fresh * random.gaussian();
  }
  return errors;
}

/** The block keeps its true shape: residuals are the errors less whatever a similarity takes up of them. */
function inflationOf(errors: Float64Array, flight: readonly number[]): number | undefined {
  const centres = Float64Array.from(FLIGHT.flat());
  const sigmas = new Float64Array(centres.length).fill(1);
  return positionScale({ centres, residuals: errors, sigmas, flights: [flight] })?.inflation;
}

/**
 * Scale that least squares take from the errors, in the sigma that it would have if they were independent:
 * sum d e / sum d d, where d is a position's distance from the middle (rotations are square to that).
 */
function scaleInSigmas(errors: Float64Array): number {
  return FLIGHT.flat().reduce((sum, d, i) => sum + d * (errors[i] ?? 0), 0) / SPREAD;
}

it.each([
  { correlation: 0, mean: [1, 1.35] },
  // The scale's true spread by these correlations is sum d_i d_j r^|i-j| / sum d d, to the root: 1.23.
  { correlation: 0.9, mean: [1.15, 1.9] },
])("the estimate of drift holds the scale of $correlation-correlated positions within 95 %", ({
  correlation,
  mean,
}) => {
  const order = [...FLIGHT.keys()];
  let [within, squares, sum] = [0, 0, 0];
  for (let seed = 1; seed <= DRAWS; seed += 1) {
    const errors = drawErrors(seed, correlation);
    const inflation = inflationOf(errors, order) ?? Number.NaN;
    const scale = scaleInSigmas(errors);
    if (Math.abs(scale) <= 1.96 * inflation) within += 1;
    squares += scale ** 2;
    sum += inflation;
  }
  expect(sum / DRAWS).toBeGreaterThan(mean[0] ?? 0);
  expect(sum / DRAWS).toBeLessThan(mean[1] ?? 0);
  // 76 of 80 expected; 71 or more in 99 of 100 such series (binomial).
  expect(within).toBeGreaterThanOrEqual(71);
  // Of 80 draws the rms scatters by 8 %: neither too narrow nor merely wide.
  const ratio = sum / DRAWS / Math.sqrt(squares / DRAWS);
  expect(ratio).toBeGreaterThan(0.8);
  expect(ratio).toBeLessThan(1.6);
});

it("the estimate of drift sees drift in the order of the flight only", () => {
  const flown = [...FLIGHT.keys()];
  const mixed = createRandom("order").shuffle(flown);
  const mean = (order: readonly number[]) => {
    const found = Array.from({ length: 20 }, (_, seed) => {
      // Off by more than their sigmas say, so that no draw ends at the least inflation, 1.
      const errors = drawErrors(seed, 0.9).map((error) => 4 * error);
      return inflationOf(errors, order) ?? Number.NaN;
    });
    return found.reduce((sum, one) => sum + one / found.length, 0);
  };
  expect(mean(flown)).toBeGreaterThan(1.3 * mean(mixed));
});

it("the estimate of drift does not count positions without a sigma", () => {
  const errors = drawErrors(3, 0.9);
  const centres = Float64Array.from(FLIGHT.flat());
  const sigmas = new Float64Array(centres.length).fill(1);
  const flights = [[...FLIGHT.keys()]];
  sigmas.fill(0, 12, 15);
  const before = positionScale({ centres, residuals: errors, sigmas, flights });
  const wrong = errors.slice().fill(80, 12, 15);
  expect(positionScale({ centres, residuals: wrong, sigmas, flights })).toEqual(before);
});

it("drift is undefined for three positions, which a similarity fits but for two numbers", () => {
  expect(inflationOf(drawErrors(1, 0), [0, 4, 12])).toBeUndefined();
  expect(inflationOf(drawErrors(1, 0), [0, 4, 9, 12])).toBeGreaterThanOrEqual(1);
});

it("orientation finds a block 5 % larger than its positions, within 2 sigma, in 19 of 20 draws of 1 m", () => {
  const centres = Float64Array.from(FLIGHT.flat());
  const sigmas = new Float64Array(centres.length).fill(1);
  const flights = [[...FLIGHT.keys()]];
  const found = Array.from({ length: 40 }, (_, seed) => {
    const residuals = drawErrors(seed, 0).map((error, i) => error + 0.05 * (centres[i] ?? 0));
    const scale = positionScale({ centres, residuals, sigmas, flights });
    // A metre over the root of what the cameras lie from their middle, squared: 1.2 %.
    expect(scale?.sigma).toBeGreaterThan(0.8 / SPREAD);
    return Math.abs((scale?.misfit ?? 0) - 0.05) < 2 * (scale?.sigma ?? 0);
  });
  expect(found.filter(Boolean).length).toBeGreaterThanOrEqual(36);
});
