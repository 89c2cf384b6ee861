import { type Projection, project } from "./camera.ts";
import type { ElevationGrid } from "./elevation-grid.ts";
import type { Reconstruction } from "./reconstruction.ts";

/** Views that a height takes (PHOTOGRAMMETRY.md 4.3). */
const WANTED_VIEWS = 3;
/** Rise over run of a view, at least: 50 degrees off the vertical, as dense matching takes views. */
const MIN_RISE = Math.tan((40 * Math.PI) / 180);
/** Every so many cells of a row and of a column are looked at: images cover areas, not cells. */
const STRIDE = 4;

/**
 * Cells that lie within three images that look steeply enough to be matched, 1 or 0 each.
 * @param groundM height of cells without one, ENU metres
 */
export function surveyedCells(
  { width, height, cellM, westM, northM, elevationM }: ElevationGrid,
  { cameras, lenses }: Reconstruction,
  groundM: number,
): Uint8Array {
  const surveyed = new Uint8Array(width * height);
  const at: Projection = { u: 0, v: 0, depth: 0 };
  for (let row = 0; row < height; row += STRIDE) {
    for (let column = 0; column < width; column += STRIDE) {
      const known = elevationM[row * width + column] ?? Number.NaN;
      const z = Number.isNaN(known) ? groundM : known;
      const point = [westM + (column + 0.5) * cellM, northM - (row + 0.5) * cellM, z] as const;
      let views = 0;
      for (const { lens: index, pose } of cameras) {
        const lens = lenses[index];
        const [x, y, up] = pose.centre;
        const isSteep = up - z > MIN_RISE * Math.hypot(point[0] - x, point[1] - y);
        if (!isSteep || lens === undefined || !project(lens, pose, point, at)) continue;
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
