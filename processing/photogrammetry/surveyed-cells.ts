import { type Projection, project } from "./camera.ts";
import { fillGaps } from "./dense/fill-gaps.ts";
import type { ElevationGrid } from "./elevation-grid.ts";
import type { Reconstruction } from "./reconstruction.ts";

/** Views that a height takes (PHOTOGRAMMETRY.md 4.3). */
const WANTED_VIEWS = 3;
/** Every so many cells of a row and of a column are looked at: images cover areas, not cells. */
const STRIDE = 4;

/** Cells that lie within three images, 1 or 0 each; holes count at the height of their surroundings. */
export function surveyedCells(
  grid: ElevationGrid,
  { cameras, lenses }: Reconstruction,
): Uint8Array {
  const { width, height, cellM, westM, northM } = grid;
  const elevationM = fillGaps(grid.elevationM, width, height);
  const surveyed = new Uint8Array(width * height);
  const at: Projection = { u: 0, v: 0, depth: 0 };
  for (let row = 0; row < height; row += STRIDE) {
    for (let column = 0; column < width; column += STRIDE) {
      const z = elevationM[row * width + column] ?? 0;
      const point = [westM + (column + 0.5) * cellM, northM - (row + 0.5) * cellM, z] as const;
      let views = 0;
      for (const { lens: index, pose } of cameras) {
        const lens = lenses[index];
        if (lens === undefined || !project(lens, pose, point, at)) continue;
        if (at.u >= 0 && at.v >= 0 && at.u < lens.widthPx && at.v < lens.heightPx) views += 1;
      }
      if (views < WANTED_VIEWS) continue;
      for (let r = row; r < Math.min(height, row + STRIDE); r += 1) {
        surveyed.fill(1, r * width + column, r * width + Math.min(width, column + STRIDE));
      }
    }
  }
  return surveyed;
}
