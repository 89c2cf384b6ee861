import { describe, expect, it } from "vitest";
import type { ElevationGrid } from "../../../processing/grid/elevation-grid.ts";
import type { PlanPolygon } from "../../../processing/grid/polygon-weights.ts";
import { levelBase } from "../../../processing/volume/base/base-surface.ts";
import { checkVolume } from "../../../processing/volume/check-volume.ts";
import { CONE, circle, surfaceOf } from "./solids.ts";

const CELL_M = 0.1;
const square = (x: number, y: number, edgeM: number): PlanPolygon => [
  [x, y],
  [x + edgeM, y],
  [x + edgeM, y + edgeM],
  [x, y + edgeM],
];
const toe = circle(CONE.radiusM);
const base = (nmadM: number) => ({ ...levelBase(0), nmadM });

/** The cone of 5 m, seen well by four views; `change` spoils cells by the place of their middles. */
function measured(
  change: (cell: { z: number; score: number; views: number; x: number; y: number }) => void = () =>
    undefined,
): ElevationGrid {
  const field = surfaceOf(CELL_M, CONE.height);
  const score = new Float32Array(field.elevationM.length);
  const views = new Uint8Array(field.elevationM.length);
  const elevationM = field.elevationM.map((height, i) => {
    const x = field.westM + ((i % field.width) + 0.5) * CELL_M;
    const y = field.northM - (Math.floor(i / field.width) + 0.5) * CELL_M;
    const cell = { z: height, score: 0.8, views: 4, x, y };
    change(cell);
    score[i] = cell.score;
    views[i] = cell.views;
    return cell.z;
  });
  return { ...field, elevationM, score, views };
}

const everywhere = ({ width, height }: ElevationGrid) => new Uint8Array(width * height).fill(1);
const findingsOf = (surface: ElevationGrid, polygon: PlanPolygon, nmadM = 0.02) =>
  checkVolume(surface, everywhere(surface), polygon, base(nmadM));

describe("a polygon that is measured", () => {
  it("a polygon that is measured passes without a finding on a cone seen all over", () => {
    expect(findingsOf(measured(), toe)).toEqual([]);
  });

  it("a polygon that is measured is refused as outside when less than half of it was flown over", () => {
    // The grid ends at x = 14.963 m: 3.963 of 10 m lie in it.
    expect(findingsOf(measured(), square(11, 0, 10))).toMatchObject([
      { gate: "POLYGON_OUTSIDE", severity: "reject", value: 39.6, threshold: 50 },
    ]);
    const surface = measured();
    const none = new Uint8Array(surface.elevationM.length);
    expect(checkVolume(surface, none, toe, base(0))).toMatchObject([
      { gate: "POLYGON_OUTSIDE", value: 0 },
    ]);
    expect(findingsOf(surface, square(100, 100, 5))).toMatchObject([{ gate: "POLYGON_OUTSIDE" }]);
  });

  // Ten columns of 0.1 m of a square of 10 m: a tenth of it.
  const isStrip = (x: number) => x > 0 && x < 1;
  it.each([
    ["has no height", { z: Number.NaN, score: Number.NaN, views: 0 }],
    ["matches badly", { score: 0.29 }],
    ["was seen by two images", { views: 2 }],
  ])("a polygon that is measured is refused when a tenth of it %s", (_, spoilt) => {
    const surface = measured((cell) => {
      if (isStrip(cell.x)) Object.assign(cell, spoilt);
    });
    expect(findingsOf(surface, square(-5, -5, 10))).toMatchObject([
      { gate: "COVERAGE", severity: "reject", value: 90, threshold: 95 },
    ]);
    // Of 25 m a twenty-fifth: 96 %.
    expect(findingsOf(surface, square(-12.5, -12.5, 25))).toEqual([]);
  });

  it("a polygon that is measured may have small holes that were filled from their rims", () => {
    const surface = measured((cell) => {
      if (isStrip(cell.x)) Object.assign(cell, { score: 0, views: 0 });
    });
    expect(findingsOf(surface, square(-5, -5, 10))).toEqual([]);
  });

  it("a polygon that is measured is refused where the ground around it is too rough for its height, or was not found", () => {
    // A cone's mean height is a third of its 5 m; 15 % of that are 0.25 m.
    expect(findingsOf(measured(), toe, 0.24)).toEqual([]);
    expect(findingsOf(measured(), toe, 0.26)).toMatchObject([
      { gate: "BASE_BAD", severity: "reject", value: 0.26, threshold: 0.25 },
    ]);
    const surface = measured();
    expect(checkVolume(surface, everywhere(surface), toe, undefined)).toMatchObject([
      { gate: "BASE_BAD", severity: "reject", value: 0 },
    ]);
  });
});
