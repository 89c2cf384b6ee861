import { describe, expect, it } from "vitest";
import type { PlanPolygon } from "../../../processing/grid/polygon-weights.ts";
import { heightNoise } from "../../../processing/volume/height-noise.ts";
import { seededRandom } from "../../support/seeded-random.ts";
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
  it("the height noise of a volume is a twentieth of its change with resolution beside 0.05 sample distances over its area", () => {
    // 100 m2 at 4 cm: 0.05 x 0.04 x 100 = 0.2 m3; a change of -21 m3 adds 1.05.
    const noise = heightNoise(surface(), polygon, { gsdM: 0.04, areaM2: 100, resolutionM3: -21 });
    expect(noise).toBeCloseTo(Math.hypot(0.2, 1.05), 6);
  });

  it("height noise of a given surface with few cells in the footprint is estimated from the cells around it", () => {
    const random = seededRandom(7);
    // 5 cm, one standard deviation, of cells of 1 m on level ground.
    const gauss = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    const given = { ...surface(), ...surfaceOf(1, () => 2 + 0.05 * gauss()) };
    const square = (halfM: number): PlanPolygon => [
      [-halfM, -halfM],
      [halfM, -halfM],
      [halfM, halfM],
      [-halfM, halfM],
    ];
    const noiseOf = (halfM: number) =>
      heightNoise(given, square(halfM), { gsdM: undefined, areaM2: (2 * halfM) ** 2 });
    // Cells: 5 cm shared by 7 m in each direction; all: 0.6 of it over the area. Of 9 cells it was 0.
    const expected = (areaM2: number) =>
      Math.hypot(Math.sqrt(areaM2) * 7 * 0.05, areaM2 * 0.6 * 0.05);
    expect(noiseOf(5) / expected(100)).toBeGreaterThan(0.7);
    expect(noiseOf(5) / expected(100)).toBeLessThan(1.5);
    expect(noiseOf(1) / expected(4)).toBeGreaterThan(0.7);
    expect(noiseOf(1) / expected(4)).toBeLessThan(1.5);
  });

  it("the height noise of a volume is 0.15 sample distances over its area where no change is known", () => {
    expect(heightNoise(surface(), polygon, { gsdM: 0.04, areaM2: 100 })).toBeCloseTo(0.6, 6);
  });
});
