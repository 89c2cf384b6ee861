import { describe, expect, it } from "vitest";
import { betweenFrames } from "../../../processing/geometry/similarity.ts";
import type { PlanPolygon } from "../../../processing/grid/polygon-weights.ts";
import { levelBase } from "../../../processing/volume/base/base-surface.ts";
import { checkResolution } from "../../../processing/volume/check-resolution.ts";
import { resolutionChange } from "../../../processing/volume/resolution-change.ts";
import { roundedOffM3 } from "../../../processing/volume/rounded-off.ts";
import { surfaceOf } from "./solids.ts";

const polygon: PlanPolygon = [
  [-5, -5],
  [5, -5],
  [5, 5],
  [-5, 5],
];
const origin = { latDeg: 51, lonDeg: 0, heightM: 0 };
const transform = betweenFrames(origin, origin);
const measured = () => {
  const field = surfaceOf(0.2, () => 2);
  const cells = field.width * field.height;
  return { ...field, score: new Float32Array(cells).fill(1), views: new Uint8Array(cells).fill(5) };
};

describe("what a volume owes to its resolution", () => {
  it("is the volume of the coarser surface less its own: 1.7 for 2 m over 100 m2 are -30 m3", () => {
    const surface = { ...measured(), coarse: surfaceOf(0.4, () => 1.7) };
    const change = resolutionChange(surface, { surface, polygon, transform, netM3: 200 }, () =>
      levelBase(0),
    );
    expect(change).toBeCloseTo(-30, 3);
  });

  it("the effect of the resolution is not given for a surface that somebody else made", () => {
    const surface = measured();
    const on = { surface, polygon, transform, netM3: 200 };
    expect(resolutionChange(surface, on, () => levelBase(0))).toBeUndefined();
    expect(checkResolution(200, undefined)).toEqual([]);
  });

  it("warns beyond 12 % of the volume, in either direction", () => {
    expect(checkResolution(200, -23)).toEqual([]);
    expect(checkResolution(200, -30)).toMatchObject([
      { gate: "RESOLUTION_DEPENDENT", severity: "warn", value: 15, threshold: 12 },
    ]);
    expect(checkResolution(200, 30)).toHaveLength(1);
  });

  it("adds what a heap loses to rounding: 15 % of what goes beyond 8 % of its volume", () => {
    // 200 m3 that lose 20 % at half the resolution: 0.15 * (40 - 16).
    expect(roundedOffM3(200, -40)).toBeCloseTo(3.6, 9);
    expect(roundedOffM3(200, -16.1)).toBeCloseTo(0.015, 9);
  });

  it("adds to a pit what its bottom loses", () => {
    expect(roundedOffM3(-200, 40)).toBeCloseTo(-3.6, 9);
  });

  it("adds nothing where the change is no more than noise, goes the other way, or is not known", () => {
    expect(roundedOffM3(200, -16)).toBe(0);
    expect(roundedOffM3(200, 40)).toBe(0);
    expect(roundedOffM3(200, undefined)).toBe(0);
    expect(roundedOffM3(0, -40)).toBe(0);
  });
});
