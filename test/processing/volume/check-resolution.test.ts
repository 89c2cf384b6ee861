import { describe, expect, it } from "vitest";
import { betweenFrames } from "../../../processing/geometry/similarity.ts";
import type { PlanPolygon } from "../../../processing/grid/polygon-weights.ts";
import { levelBase } from "../../../processing/volume/base/base-surface.ts";
import { checkResolution } from "../../../processing/volume/check-resolution.ts";
import { resolutionChange } from "../../../processing/volume/resolution-change.ts";
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
});
