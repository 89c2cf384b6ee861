import type { ElevationGrid } from "../../grid/elevation-grid.ts";
import { fillGaps } from "../../grid/fill-gaps.ts";
import { forEachPiece, removeSpeckles } from "./pieces.ts";

/**
 * Patches of heights apart from all around them are wrong matches when smaller than this, m2: half a square metre
 * is less than a person's shadow and more than what a wrong match of 5 x 5 cells of 10 cm smears. Larger removes
 * posts and stones that were measured, smaller leaves more wrong matches.
 */
const SPECKLE_M2 = 0.5;
/** Apart = further than this, in cells: steeper than 70 degrees. */
const SPECKLE_JUMP_CELLS = 2.75;
/** Holes whose longer side is below this are filled, metres (docs/photogrammetry.md#stages). */
const MAX_HOLE_M = 1;

/**
 * Makes the surface of the last pass fit for use: takes lonely patches away and fills the holes below
 * 1 m that are closed in on all sides. A filled cell has `views` 0 and `score` 0 and so differs from
 * every measured one; no data is NaN in elevation and score, with 0 views.
 */
export function finishSurface(grid: ElevationGrid): ElevationGrid {
  const { width, height, cellM } = grid;
  const elevationM = grid.elevationM.slice();
  const minCells = Math.round(SPECKLE_M2 / cellM ** 2);
  removeSpeckles(elevationM, width, height, minCells, SPECKLE_JUMP_CELLS * cellM);

  const score = grid.score.slice();
  const views = grid.views.slice();
  const filled = fillGaps(elevationM, width, height);
  const isHole = (cell: number) => Number.isNaN(elevationM[cell]);
  const small: number[] = [];
  forEachPiece(
    isHole,
    () => true,
    width,
    height,
    (cells) => {
      if (isSmallHole(cells, width, height, MAX_HOLE_M / cellM)) small.push(...cells);
      for (const cell of cells) {
        score[cell] = Number.NaN;
        views[cell] = 0;
      }
    },
  );
  for (const cell of small) {
    elevationM[cell] = filled[cell] ?? Number.NaN;
    score[cell] = 0;
  }
  return { ...grid, elevationM, score, views };
}

function isSmallHole(
  cells: readonly number[],
  width: number,
  height: number,
  maxCells: number,
): boolean {
  if (cells.length >= maxCells ** 2) return false;
  let [left, right, top, bottom] = [width, 0, height, 0];
  for (const cell of cells) {
    const x = cell % width;
    const y = Math.floor(cell / width);
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  const isClosedIn = left > 0 && top > 0 && right < width - 1 && bottom < height - 1;
  return isClosedIn && Math.max(right - left, bottom - top) + 1 < maxCells;
}
