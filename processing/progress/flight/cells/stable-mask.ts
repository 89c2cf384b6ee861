import { grown } from "../../../grid/cell-mask.ts";
import type { GridFrame } from "../../../grid/elevation-grid.ts";
import type { PlanPolygon } from "../../../grid/polygon-weights.ts";
import { clipPolygon } from "./clip-polygon.ts";
import { boxOfGrid, gridOn } from "./lattice.ts";
import { sharesOn } from "./zone-cells.ts";

/**
 * Cells of the mask at most, a byte each: they may be larger than those of the surface. Fewer widen the margin
 * around zones by coarser cells.
 */
const MOST_CELLS = 1_000_000;
/**
 * So far around a zone the ground is taken to change too, metres: batters, formwork, spilt fill. Less takes them
 * for stable ground, more leaves too little of it on dense sites.
 */
const MARGIN_M = 1;

/** Where the ground should be as it was. */
export interface StableGround {
  /** Whether a place in plan lies outside of all that changes. */
  isStable(x: number, y: number): boolean;
}

/**
 * Ground outside of polygons within which the surface is expected to change.
 * @param frame of a surface: beyond it nothing is asked
 */
export function stableGround(frame: GridFrame, changing: readonly PlanPolygon[]): StableGround {
  const grid = gridOn(frame, boxOfGrid(frame), MOST_CELLS);
  const box = boxOfGrid(grid);
  const cells = new Uint8Array(grid.width * grid.height);
  for (const polygon of changing) {
    const inside = clipPolygon(polygon, box);
    if (inside.length < 3) continue;
    for (const [i, share] of sharesOn(grid, inside).entries()) if (share > 0) cells[i] = 1;
  }
  const mask = grown({ width: grid.width, height: grid.height, cells }, MARGIN_M / grid.cellM);
  return {
    isStable(x, y) {
      const col = Math.floor((x - grid.westM) / grid.cellM);
      const row = Math.floor((grid.northM - y) / grid.cellM);
      if (col < 0 || row < 0 || col >= grid.width || row >= grid.height) return false;
      return mask.cells[row * grid.width + col] === 0;
    },
  };
}
