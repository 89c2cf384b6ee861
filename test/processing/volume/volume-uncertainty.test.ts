import { describe, expect, it } from "vitest";
import type { PlanPolygon } from "../../../processing/grid/polygon-weights.ts";
import { levelBase } from "../../../processing/volume/base/base-surface.ts";
import { volumeAbove } from "../../../processing/volume/volume-above.ts";
import {
  changeUncertainty,
  type UncertaintyInput,
  volumeUncertainty,
} from "../../../processing/volume/volume-uncertainty.ts";
import { seededRandom } from "../../support/seeded-random.ts";
import { surfaceOf } from "./solids.ts";

/** 10 x 10 m, 2 m high: 200 m3 over 100 m2, r = 10 / sqrt(pi) = 5.642 m. */
const polygon: PlanPolygon = [
  [-5, -5],
  [5, -5],
  [5, 5],
  [-5, 5],
];
const field = surfaceOf(0.2, () => 2);
const cells = field.width * field.height;
const surface = {
  ...field,
  score: new Float32Array(cells).fill(0.96),
  views: new Uint8Array(cells).fill(5),
};
const ground = { ...levelBase(0), kind: "plane" as const, unevenM: 0.03, nmadM: 0.05 };

function inputOf(changes: Partial<UncertaintyInput> = {}): UncertaintyInput {
  return {
    volume: volumeAbove(surface, polygon, ground),
    base: ground,
    filled: { surface, interpolated: new Uint8Array(cells) },
    polygon,
    gsdM: 0.05,
    adjustment: {
      focal: [{ relativeSigma: 0.004, relativeChange: 0.01 }],
      nadirShare: 0.75,
      scaleFrom: "gps",
      tiltSigmaRad: 0,
    },
    scaleSigma: 0.012,
    alignment: { kind: "first", heightSigmaM: 0, planSigmaM: 0 },
    ...changes,
  };
}

describe("terms of a volume's uncertainty", () => {
  it("terms of a volume's uncertainty follow their formulas", () => {
    const { terms, sigmaM3, volumeM3 } = volumeUncertainty(inputOf());
    expect(volumeM3).toBeCloseTo(200, 6);
    expect(terms.scale).toBeCloseTo(3 * 0.012 * 200, 9);
    expect(terms.focal).toBeCloseTo(0.004 * 200, 9);
    expect(terms.base).toBeCloseTo(100 * 0.5 * 0.03, 9);
    // 1.8 cm / sqrt(2) at a radius of 8 m, a third of it with obliques.
    expect(terms.dome).toBeCloseTo((100 * (0.018 / 8) * 5.6419) / Math.SQRT2 / 3, 4);
    // Cells: 1.8 sqrt(0.04) GSD = 1.8 cm, shared by 7 x 0.2 m; all: 0.15 GSD = 0.75 cm.
    expect(terms.noise).toBeCloseTo(Math.hypot(10 * 1.4 * 0.018, 100 * 0.0075), 5);
    expect(terms.gaps).toBe(0);
    expect(terms.alignment).toBe(0);
    const squares = Object.values(terms).reduce((sum, term) => sum + term * term, 0);
    expect(sigmaM3).toBeCloseTo(Math.sqrt(squares), 9);
  });

  it("walls may be off by 6 sample distances, flanks of piles may not", () => {
    const noiseOf = (runM: number, changes: Partial<UncertaintyInput> = {}) => {
      // 10 m of a rise from 0 to 2 m within the footprint, facing west.
      const rise = surfaceOf(0.2, (x) => Math.min(2, Math.max(0, (2 * x) / runM)));
      const filled = { ...surface, ...rise };
      return volumeUncertainty(
        inputOf({
          filled: { surface: filled, interpolated: new Uint8Array(cells) },
          ...changes,
        }),
      ).terms.noise;
    };
    const flank = noiseOf(1.5);
    expect(flank).toBeCloseTo(Math.hypot(10 * 1.4 * 0.018, 100 * 0.0075), 5);
    expect(noiseOf(0.01)).toBeCloseTo(Math.hypot(flank, 2 * 10 * 6 * 0.05), 3);
    // Of a given surface only its cell is known, which has two.
    const given = { gsdM: 0.2, adjustment: undefined };
    expect(noiseOf(0.01, given)).toBeCloseTo(Math.hypot(noiseOf(1.5, given), 2 * 10 * 6 * 0.1), 3);
  });

  it("a given base has no error of its own, images straight down have the whole dome", () => {
    const nadir = { focal: [], nadirShare: 1, scaleFrom: "gps" as const, tiltSigmaRad: 0 };
    const { terms } = volumeUncertainty(
      inputOf({ base: { ...levelBase(0) }, adjustment: nadir, scaleSigma: 0.001 }),
    );
    expect(terms.base).toBe(0);
    expect(terms.dome).toBeCloseTo((100 * (0.018 / 8) * 5.6419) / Math.SQRT2, 4);
    expect(terms.focal).toBeCloseTo(0.02 * 200, 9);
    const held = volumeUncertainty(inputOf({ adjustment: { ...nadir, isHeldByRtk: true } }));
    expect(held.terms.dome).toBeCloseTo(terms.dome / 3, 9);
    const scaled = { ...nadir, scaleFrom: "control_points" as const };
    const loose = volumeUncertainty(inputOf({ adjustment: scaled }));
    expect(loose.terms.dome).toBeCloseTo(terms.dome, 9);
    const placed = volumeUncertainty(inputOf({ adjustment: { ...scaled, isHeldByControl: true } }));
    expect(placed.terms.dome).toBeCloseTo(terms.dome / 3, 9);
  });

  it("a tilt of 2 degrees lifts a level base by its lever arm, and a base under the pile hardly", () => {
    const tilted = { focal: [], nadirShare: 1, scaleFrom: "gps" as const, tiltSigmaRad: 0.035 };
    const baseOf = (base: UncertaintyInput["base"], east: number) => {
      const moved = polygon.map(([x, y]) => [x + east, y] as const);
      return volumeUncertainty(inputOf({ base, adjustment: tilted, polygon: moved })).terms.base;
    };
    // 100 m2 that are 30 m from where the images were taken.
    expect(baseOf(levelBase(0), 30)).toBeCloseTo(100 * 0.035 * 30, 6);
    expect(baseOf(levelBase(0), 0)).toBeCloseTo(0, 6);
    // 2 m of height, by the tilt squared: 0.25 m3 of 200, beside 1.5 m3 of uneven ground.
    expect(baseOf(ground, 30)).toBeCloseTo(100 * Math.hypot(0.015, 2 * 0.035 ** 2), 6);
    // Heights of a base that are given by GPS are off as a whole.
    expect(baseOf({ ...levelBase(0), unevenM: 0.03 }, 0)).toBeCloseTo(3, 6);
  });

  it("a surface of unknown making is as uncertain as one from GPS", () => {
    const { terms } = volumeUncertainty(inputOf({ adjustment: undefined, scaleSigma: undefined }));
    expect(terms.scale).toBeCloseTo(0.03 * 200, 9);
    expect(terms.focal).toBe(0);
  });

  it("noise of a surface of unknown making is estimated from its heights", () => {
    const noiseOf = (sigmaM: number, stepM = 0) => {
      const random = seededRandom(7);
      const elevationM = surface.elevationM.map((z) => {
        const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
        return z + sigmaM * normal;
      });
      const filled = { surface: { ...surface, elevationM }, interpolated: new Uint8Array(cells) };
      return volumeUncertainty(inputOf({ filled, stepM, adjustment: undefined })).terms.noise;
    };
    expect(noiseOf(0)).toBe(0);
    // 7 cells of 0.2 m share their noise; 0.6 of it is shared by all. 2,500 cells give it within 5 %.
    const expected = Math.hypot(10 * 1.4 * 0.04, 100 * 0.6 * 0.04);
    expect(Math.abs(noiseOf(0.04) / expected - 1)).toBeLessThan(0.08);
    expect(noiseOf(0, 1)).toBeCloseTo(100 / Math.sqrt(12), 9);
  });

  it("gaps count by their width, and twice as wide a gap eight times", () => {
    const gapsOf = (halfM: number) => {
      const interpolated = surface.elevationM.map((_, i) => {
        const x = surface.westM + ((i % surface.width) + 0.5) * surface.cellM;
        const y = surface.northM - (Math.floor(i / surface.width) + 0.5) * surface.cellM;
        return Math.hypot(x, y) < halfM ? 1 : 0;
      });
      const filled = { surface, interpolated: Uint8Array.from(interpolated) };
      return volumeUncertainty(inputOf({ filled })).terms.gaps;
    };
    // 0.35 times the sum of distances from the rim, a cone: pi r3 / 3; distances are to the middle of the
    // nearest measured cell, and are up to 8 % long.
    const cone = 0.35 * ((Math.PI * 8) / 3);
    expect(gapsOf(2)).toBeGreaterThan(cone);
    expect(gapsOf(2)).toBeLessThan(1.3 * cone);
    expect(gapsOf(4) / gapsOf(2)).toBeGreaterThan(6.5);
    expect(gapsOf(4) / gapsOf(2)).toBeLessThan(8.5);
  });

  it("a footprint that was not measured at all counts with the pile's mean height", () => {
    const volume = { ...inputOf().volume, coverage: 0.9 };
    expect(volumeUncertainty(inputOf({ volume })).terms.gaps).toBeCloseTo(0.1 * 100 * 2, 6);
  });

  it("a later epoch lies on the earlier one as surely as it was aligned", () => {
    const alignment = { kind: "stable_ground" as const, heightSigmaM: 0.01, planSigmaM: 0.1 };
    const slope = { ...ground, heightAt: (x: number, y: number) => 0.03 * x - 0.04 * y };
    const flat = volumeUncertainty(inputOf({ alignment })).terms.alignment;
    expect(flat).toBeCloseTo(100 * 0.01, 9);
    // A slope of 5 % turns 10 cm in plan into 5 mm.
    const sloped = volumeUncertainty(inputOf({ alignment, base: slope })).terms.alignment;
    expect(sloped).toBeCloseTo(100 * Math.hypot(0.01, 0.005), 6);
  });
});

describe("uncertainty of a change", () => {
  const now = volumeUncertainty(
    inputOf({ alignment: { kind: "joint_adjustment", heightSigmaM: 0.004, planSigmaM: 0 } }),
  );
  const before = {
    current_volume_m3: 160,
    sigma_m3: 7,
    uncertainty_terms: { ...now.terms, alignment: 0 },
  };

  it("the uncertainty of a change of jointly adjusted epochs is that of the material moved, and of what they do not share", () => {
    const { sigmaM3 } = changeUncertainty(now, before);
    const { scale, focal, dome, noise } = now.terms;
    const moved = [scale, focal, dome].map((term) => (term * 40) / 200);
    // 100 m2 by 4 mm.
    expect(sigmaM3).toBeCloseTo(Math.hypot(...moved, noise, noise, 0.4), 9);
    expect(sigmaM3).toBeLessThan(0.35 * Math.hypot(now.sigmaM3, before.sigma_m3));
  });

  it("the uncertainty of a change of an emptied place goes by what was there", () => {
    const empty = { ...now, volumeM3: 0, terms: { ...now.terms, scale: 0, focal: 0 } };
    const { sigmaM3 } = changeUncertainty(empty, before);
    const { scale, focal, dome, noise } = before.uncertainty_terms;
    expect(sigmaM3).toBeCloseTo(Math.hypot(scale, focal, dome, noise, noise, 0.4), 9);
  });

  it("the uncertainty of a change of epochs adjusted apart loses only the base", () => {
    const apart = { ...now, alignment: "stable_ground" as const };
    const { scale, focal, dome, noise } = now.terms;
    expect(changeUncertainty(apart, before).sigmaM3).toBeCloseTo(
      Math.hypot(0.4, ...[scale, focal, dome, noise].map((term) => term * Math.SQRT2)),
      9,
    );
  });

  it("the uncertainty of a change across a new frame is that of both volumes", () => {
    const first = { ...now, alignment: "first" as const };
    expect(changeUncertainty(first, before).sigmaM3).toBeCloseTo(Math.hypot(now.sigmaM3, 7), 9);
  });
});
