import { describe, expect, it } from "vitest";
import { heightNoise } from "../../../processing/volume/height-noise.ts";
import type { PlanPolygon } from "../../../processing/volume/polygon-weights.ts";
import { surfaceOf } from "./solids.ts";

const polygon: PlanPolygon = [
  [-5, -5],
  [5, -5],
  [5, 5],
  [-5, 5],
];

/** Views that agree entirely, so that cells have no noise of their own. */
const surface = () => {
  const field = surfaceOf(0.2, () => 2);
  const cells = field.width * field.height;
  return { ...field, score: new Float32Array(cells).fill(1), views: new Uint8Array(cells).fill(5) };
};

describe("height noise of a volume", () => {
  it("is a tenth of its change with resolution beside 0.05 sample distances over its area", () => {
    // 100 m2 at 4 cm: 0.05 x 0.04 x 100 = 0.2 m3; a change of -21 m3 adds 2.1.
    const noise = heightNoise(surface(), polygon, { gsdM: 0.04, areaM2: 100, resolutionM3: -21 });
    expect(noise).toBeCloseTo(Math.hypot(0.2, 2.1), 6);
  });

  it("is 0.15 sample distances over its area where no change is known", () => {
    expect(heightNoise(surface(), polygon, { gsdM: 0.04, areaM2: 100 })).toBeCloseTo(0.6, 6);
  });
});
