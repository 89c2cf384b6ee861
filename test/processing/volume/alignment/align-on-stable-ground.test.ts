import { describe, expect, it } from "vitest";
import { applySimilarity } from "../../../../processing/geometry/similarity.ts";
import type { HeightField } from "../../../../processing/grid/elevation-grid.ts";
import {
  alignOnStableGround,
  type GroundAlignment,
  RTK_PRIOR,
} from "../../../../processing/volume/alignment/align-on-stable-ground.ts";
import { heightThrough } from "../../../../processing/volume/alignment/height-through.ts";
import { seededRandom } from "../../../support/seeded-random.ts";

const CELL_M = 0.35;
const SIDE_M = 44;

/** Rolling ground with a bank, a ditch and stones: slopes of 0.1 to 0.5 in all directions. */
const relief = (x: number, y: number) =>
  12 +
  0.03 * x +
  0.6 * Math.sin(x / 3.1 + 0.4) * Math.cos(y / 2.7) +
  0.9 * Math.exp(-((x - 9) ** 2 + (y + 7) ** 2) / 8) +
  0.7 * Math.exp(-((x + 0.6 * y + 5) ** 2) / 3);
const flat = (x: number, y: number) => 12 + 0.02 * x - 0.01 * y;

/** Noise of 1.5 cm that is alike over 0.75 m, as matching leaves it. */
function correlatedNoise(seed: number): (x: number, y: number) => number {
  const random = seededRandom(seed);
  const lattice = Float64Array.from({ length: 100 * 100 }, () => {
    const u = Math.sqrt(-2 * Math.log(1 - random()));
    return 0.015 * u * Math.cos(2 * Math.PI * random());
  });
  return (x, y) => {
    const [i, j] = [Math.floor((x + 40) / 0.75), Math.floor((y + 40) / 0.75)];
    return lattice[(j % 100) * 100 + (i % 100)] ?? 0;
  };
}

function survey(seed: number, height: (x: number, y: number) => number): HeightField {
  const width = Math.round(SIDE_M / CELL_M);
  const noise = correlatedNoise(seed);
  const [westM, northM] = [-SIDE_M / 2, SIDE_M / 2];
  const elevationM = Float32Array.from({ length: width * width }, (_, i) => {
    const x = westM + ((i % width) + 0.5) * CELL_M;
    const y = northM - (Math.floor(i / width) + 0.5) * CELL_M;
    return height(x, y) + noise(x, y);
  });
  return { westM, northM, cellM: CELL_M, width, height: width, elevationM };
}

const pile = [
  [-4, -4],
  [4, -4],
  [4, 4],
  [-4, 4],
] as const;

function aligned(moving: HeightField, fixed: HeightField): GroundAlignment {
  const found = alignOnStableGround(moving, fixed, [pile]);
  if (found === undefined) throw new Error("not aligned");
  return found;
}

describe("alignment on stable ground", () => {
  it("alignment on stable ground undoes 1.6 m in plan, 2.4 m in height and a tilt of 1 %, to its own sigmas", () => {
    const fixed = survey(1, relief);
    // What lies at x now lay at x - 1.3 before, 2.4 m lower and tilted.
    const moving = survey(2, (x, y) => relief(x - 1.3, y + 0.9) - 2.4 + 0.01 * x - 0.004 * y);
    const found = aligned(moving, fixed);
    expect(found.sigma.eastM).toBeLessThan(0.15);
    expect(Math.abs(found.shiftM[0] + 1.3)).toBeLessThan(3 * found.sigma.eastM);
    expect(Math.abs(found.shiftM[1] - 0.9)).toBeLessThan(3 * found.sigma.northM);
    expect(found.tilt[0]).toBeCloseTo(-0.01, 2);
    expect(found.tilt[1]).toBeCloseTo(0.004, 2);
    // Both surfaces have 1.5 cm.
    expect(found.nmadM).toBeGreaterThan(0.015);
    expect(found.nmadM).toBeLessThan(0.03);
    const heightAt = heightThrough(moving, found.transform);
    const middle = [-3, -1, 1, 3].flatMap((x) =>
      [-3, -1, 1, 3].map((y) => heightAt(x, y, 12) - relief(x, y)),
    );
    const off = middle.reduce((sum, one) => sum + one, 0) / middle.length;
    expect(Math.abs(off)).toBeLessThan(Math.max(0.01, 3 * found.sigmaCoregM));
  });

  it("alignment on stable ground finds a turn of 1.4 degrees beside a shift, by the heaps as well as by the ground", () => {
    const fixed = survey(13, relief);
    const [c, n] = [Math.cos(0.025), Math.sin(0.025)];
    const moving = survey(14, (x, y) => relief(c * x - n * y - 0.8, n * x + c * y + 1.1));
    // All that has a slope lies within the polygon, where change is expected.
    const everything = [
      [-14, -14],
      [14, -14],
      [14, 14],
      [-14, 14],
    ] as const;
    const found = alignOnStableGround(moving, fixed, [everything]);
    expect(Math.abs((found?.turnRad ?? 0) - 0.025)).toBeLessThan(0.003);
    expect(found?.sigma.turnRad).toBeLessThan(0.003);
  });

  it("alignment on stable ground does not follow new heaps and machines on 30 % of the ground", () => {
    const fixed = survey(3, relief);
    const isChanged = (x: number) => x > 8.5;
    const moving = survey(4, (x, y) => relief(x - 0.4, y - 0.3) + (isChanged(x) ? 1.2 : 0) + 0.5);
    const found = aligned(moving, fixed);
    expect(found.stableShare).toBeGreaterThan(0.6);
    expect(found.stableShare).toBeLessThan(0.75);
    expect(Math.abs(found.shiftM[0] + 0.4)).toBeLessThan(0.15);
    expect(Math.abs(found.shiftM[1] + 0.3)).toBeLessThan(0.15);
    const [, , up] = applySimilarity(found.transform, [0.4, 0.3, relief(0, 0) + 0.5]);
    expect(Math.abs(up - relief(0, 0))).toBeLessThan(0.02);
  });

  it("leaves the shift at zero on ground without relief, with the whole prior as its sigma", () => {
    const found = aligned(
      survey(5, (x, y) => flat(x, y) + 0.7),
      survey(6, flat),
    );
    expect(found.shiftM.slice(0, 2)).toEqual([0, 0]);
    expect(found.turnRad).toBe(0);
    expect(found.scale).toBe(1);
    expect(found.sigma.eastM).toBeCloseTo(3, 9);
    expect(found.sigma.northM).toBeCloseTo(3, 9);
    expect(found.sigma.turnRad).toBeCloseTo(0.02, 9);
    expect(found.sigma.scale).toBeCloseTo(0.02, 9);
    expect(found.shiftM[2]).toBeCloseTo(-0.7, 2);
    expect(found.sigmaCoregM).toBeLessThan(0.01);
  });

  it("alignment on stable ground finds a shift across a bank, and none along it", () => {
    const bank = (x: number) => 3 / (1 + Math.exp(-x / 1.2));
    const found = aligned(
      survey(7, (x) => bank(x - 0.5)),
      survey(8, (x) => bank(x)),
    );
    expect(Math.abs(found.shiftM[0] + 0.5)).toBeLessThan(3 * found.sigma.eastM);
    expect(found.sigma.eastM).toBeLessThan(0.3);
    expect(Math.abs(found.shiftM[1])).toBeLessThan(0.05);
    expect(found.sigma.northM).toBeGreaterThan(2.5);
  });

  it("alignment on stable ground states a sigma of the level that six pairs of surveys bear out", () => {
    const ratios = Array.from({ length: 6 }, (_, i) => {
      const moving = survey(100 + i, relief);
      const found = alignOnStableGround(moving, survey(200 + i, relief), [pile], {
        prior: RTK_PRIOR,
      });
      if (found === undefined) throw new Error("not aligned");
      const heightAt = heightThrough(moving, found.transform);
      let sum = 0;
      for (let x = -3.75; x < 4; x += 0.5) {
        for (let y = -3.75; y < 4; y += 0.5) sum += heightAt(x, y, 12) - relief(x, y);
      }
      return sum / 256 / found.sigmaCoregM;
    });
    const rms = Math.sqrt(ratios.reduce((sum, ratio) => sum + ratio ** 2, 0) / ratios.length);
    // One of the two surfaces' noise is in the mean here, both are in the sigma: 0.7, scattering by 0.3.
    expect(rms).toBeGreaterThan(0.2);
    expect(rms).toBeLessThan(1.5);
  });

  it("the certainty of a pile does not depend on others in unsurveyed places", () => {
    const [moving, fixed] = [survey(15, relief), survey(16, relief)];
    const far = pile.map(([x, y]) => [x + 400, y - 6e6] as const);
    expect(alignOnStableGround(moving, fixed, [pile, far])).toEqual(aligned(moving, fixed));
  });

  it("alignment on stable ground says so when there is too little ground", () => {
    const small = survey(9, (x, y) => (Math.hypot(x, y) > 6 ? Number.NaN : relief(x, y)));
    expect(alignOnStableGround(survey(10, relief), small, [pile])).toBeUndefined();
    // Two thirds of the ground lie anywhere within a metre.
    const rubble = correlatedNoise(77);
    const other = survey(11, (x, y) => relief(x, y) + (x > -8 ? 60 * rubble(x, y) : 0));
    expect(alignOnStableGround(other, survey(12, relief), [pile])).toBeUndefined();
  });
});
