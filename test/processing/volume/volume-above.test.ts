import { describe, expect, it } from "vitest";
import type { PlanPolygon } from "../../../processing/grid/polygon-weights.ts";
import { fitBasePlane } from "../../../processing/volume/base/base-plane.ts";
import { levelBase, surveyBase } from "../../../processing/volume/base/base-surface.ts";
import { volumeAbove } from "../../../processing/volume/volume-above.ts";
import { CONE, circle, FRUSTUM, RIDGE, surfaceOf } from "./solids.ts";

const solids = { cone: CONE, frustum: FRUSTUM, ridge: RIDGE };
const cells = [0.05, 0.1, 0.2, 0.4];
const cases = Object.entries(solids).flatMap(([name, solid]) =>
  cells.map((cellM) => ({ name, cellM, solid })),
);

describe("volume of solids with a closed form", () => {
  it.each(cases)("$name at cells of $cellM m", ({ solid, cellM }) => {
    const { netM3, fillM3, coverage } = volumeAbove(
      surfaceOf(cellM, solid.height),
      circle(solid.radiusM + 1.2),
      levelBase(0),
    );
    // Midpoint rule: cell2 / 24 times the kinks, each as long as it is sharp; the toe's alone, slope 0.73
    // over a length of 2 pi r, and up to the same again at the apex, edge or ridge.
    const toe = 0.7265 * 2 * Math.PI * solid.radiusM;
    const expected = (cellM ** 2 / 24) * toe;
    expect(Math.abs(netM3 - solid.volumeM3)).toBeLessThan(2 * expected);
    expect(netM3).not.toBe(solid.volumeM3);
    expect(fillM3).toBe(0);
    expect(coverage).toBe(1);
  });

  // Cells know heights at their middles: the sum is off by cell2 / 24 times what flows through the line, the
  // integral of the slope across it, and by how the line happens to cut its cells.
  it.each([0.1, 0.2, 0.4])("a cap of a sphere, cut within its flank, at cells of %d m", (cellM) => {
    const [radiusM, lineM, baseM] = [12, 8, 3];
    const height = (x: number, y: number) => Math.sqrt(radiusM ** 2 - Math.min(143, x * x + y * y));
    const rimM = Math.sqrt(radiusM ** 2 - lineM ** 2);
    // Cap above the rim, pi h2 (3 R - h) / 3, and the cylinder from there down to the base.
    const capM = radiusM - rimM;
    const cap = (Math.PI * capM ** 2 * (3 * radiusM - capM)) / 3;
    const truth = cap + Math.PI * lineM ** 2 * (rimM - baseM);
    const line = circle(lineM * (1 + Math.PI ** 2 / 3 / 720 ** 2), 720);
    const { netM3 } = volumeAbove(surfaceOf(cellM, height), line, levelBase(baseM));
    const flow = -2 * Math.PI * lineM * (lineM / rimM);
    const expected = (cellM ** 2 / 24) * flow;
    expect((netM3 - truth) / expected).toBeGreaterThan(0.6);
    expect((netM3 - truth) / expected).toBeLessThan(1.4);
  });

  it.each(cells)("a wedge whose ends cut cells, at cells of %d m", (cellM) => {
    // z = 3 + x / 4 over 9.13 x 4.57 m from x = -4.02: mean height 3 + 0.545 / 4.
    const box: PlanPolygon = [
      [-4.02, -2.3],
      [5.11, -2.3],
      [5.11, 2.27],
      [-4.02, 2.27],
    ];
    const { netM3 } = volumeAbove(
      surfaceOf(cellM, (x) => 3 + x / 4),
      box,
      levelBase(0),
    );
    const truth = 9.13 * 4.57 * (3 + 0.545 / 4);
    // Each end is off by s (1 - s) / 2 of a cell2 times slope and width, at most an eighth, one up, one down.
    expect(Math.abs(netM3 - truth)).toBeLessThan((cellM ** 2 / 8) * 0.25 * 4.57 + 1e-4);
    expect(netM3).not.toBe(truth);
  });

  it("a step of 2 m, 4.3 x 3.1 m, whose walls lie anywhere in the cells", () => {
    const height = (x: number, y: number) => (Math.abs(x) < 2.15 && Math.abs(y) < 1.55 ? 2 : 0);
    for (const cellM of cells) {
      const { netM3 } = volumeAbove(surfaceOf(cellM, height), circle(6), levelBase(0));
      // Each wall is seen up to half a cell off.
      const perimeter = 2 * (4.3 + 3.1);
      expect(Math.abs(netM3 - 4.3 * 3.1 * 2)).toBeLessThanOrEqual(((perimeter * cellM) / 2) * 2);
    }
  });

  it("a level plate under a polygon that cuts cells is exact: 3 m times its area", () => {
    const triangle: PlanPolygon = [
      [-3.3, -2.1],
      [4.7, -1.2],
      [0.4, 5.9],
    ];
    // Shoelace: |8 * 8 - 3.7 * 0.9| / 2.
    const area = Math.abs(8 * 8 - 3.7 * 0.9) / 2;
    for (const cellM of cells) {
      const volume = volumeAbove(
        surfaceOf(cellM, () => 5),
        triangle,
        levelBase(2),
      );
      expect(volume.areaM2).toBeCloseTo(area, 9);
      expect(volume.netM3).toBeCloseTo(3 * area, 5);
      expect(volume.meanHeightM).toBeCloseTo(3, 9);
      expect(volume.maxHeightM).toBe(3);
    }
  });
});

describe("cut, fill and coverage", () => {
  it("keeps cut and fill apart: a wedge through the base", () => {
    // z = x / 10 over 10 x 4 m: 1/2 * 5 * 0.5 * 4 = 5 m3 either side.
    const box: PlanPolygon = [
      [-5, -2],
      [5, -2],
      [5, 2],
      [-5, 2],
    ];
    const { cutM3, fillM3, netM3 } = volumeAbove(
      surfaceOf(0.1, (x) => x / 10),
      box,
      levelBase(0),
    );
    expect(cutM3).toBeCloseTo(5, 2);
    expect(fillM3).toBeCloseTo(5, 2);
    expect(netM3).toBeCloseTo(0, 4);
  });

  it("a volume leaves no data out instead of counting it as zero", () => {
    const surface = surfaceOf(0.1, (x) => (x < 0 ? Number.NaN : 2));
    const volume = volumeAbove(surface, circle(5, 4), levelBase(0));
    // The square of 50 m2 is cut in half by the hole's edge, which follows the cells.
    expect(volume.coverage).toBeGreaterThan(0.49);
    expect(volume.coverage).toBeLessThan(0.51);
    expect(volume.netM3).toBeCloseTo(2 * volume.coveredM2, 4);
    expect(volume.areaM2).toBeCloseTo(50, 9);
  });

  it("the coverage counts what lies beyond the survey as not covered", () => {
    const surface = surfaceOf(0.1, () => 1);
    const eastM = surface.westM + surface.width * surface.cellM;
    const volume = volumeAbove(
      surface,
      [
        [eastM - 2, 0],
        [eastM + 2, 0],
        [eastM + 2, 3],
        [eastM - 2, 3],
      ],
      levelBase(0),
    );
    expect(volume.areaM2).toBeCloseTo(12, 9);
    expect(volume.coverage).toBeCloseTo(0.5, 9);
    expect(volume.netM3).toBeCloseTo(6, 9);
  });

  it("the change between two surveys is measured, and nothing where the first has a hole", () => {
    const before = surfaceOf(0.1, (x, y) => CONE.height(x, y) + 0.02 * x);
    const after = surfaceOf(0.1, (x, y) => FRUSTUM.height(x, y) + 0.02 * x);
    const toe = circle(CONE.radiusM + 1);
    const change = volumeAbove(after, toe, surveyBase(before));
    // The tip that is gone: a cone of 2 m.
    expect(change.netM3).toBeCloseTo(FRUSTUM.volumeM3 - CONE.volumeM3, 1);
    expect(change.cutM3).toBeLessThan(0.001);
    before.elevationM.fill(Number.NaN);
    expect(volumeAbove(after, toe, surveyBase(before))).toMatchObject({ coverage: 0, netM3: 0 });
  });

  it("a pile on a slope is measured from the plane of its surroundings", () => {
    const slope = (x: number, y: number) => 31 + 0.08 * x - 0.05 * y;
    const surface = surfaceOf(0.1, (x, y) => slope(x, y) + RIDGE.height(x, y));
    const toe = circle(RIDGE.radiusM + 0.3);
    const base = fitBasePlane(surface, toe);
    expect(base).toBeDefined();
    if (base === undefined) return;
    const { netM3 } = volumeAbove(surface, toe, base);
    // Single precision at 31 m is 2 micrometres; the rest is the midpoint rule's.
    expect(Math.abs(netM3 - RIDGE.volumeM3)).toBeLessThan(0.05);
  });
});
