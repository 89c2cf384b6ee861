import type { GridFrame } from "../../../grid/elevation-grid.ts";
import { type PlanPolygon, polygonWeights } from "../../../grid/polygon-weights.ts";

/** What is known of the cells of one zone; all in the frame of the datum, row-major, NaN = not known. */
export interface ZoneCells {
  readonly frame: GridFrame;
  /** Share of each cell inside the zone, 0 to 1. */
  readonly share: Float32Array;
  /** Height that this flight found, metres. */
  readonly now: Float32Array;
  /** Of the baseline and of the design, metres. */
  readonly before: Float32Array;
  readonly design: Float32Array;
}

/**
 * Least planned lift of a cell that counts as planned, metres: below it a design that follows the ground
 * would be measured by noise (docs/progress-method.md#surfaces, tau_plan).
 */
export const LEAST_LIFT_M = 0.05;

/** Share of each cell of a grid inside a polygon, 0 to 1: exact areas. What lies beyond the grid is left out. */
export function sharesOn(frame: GridFrame, polygon: PlanPolygon): Float32Array {
  const { firstCol, firstRow, width, height, share } = polygonWeights(frame, polygon);
  const shares = new Float32Array(frame.width * frame.height);
  for (let r = Math.max(0, -firstRow); r < height && firstRow + r < frame.height; r += 1) {
    for (let c = Math.max(0, -firstCol); c < width && firstCol + c < frame.width; c += 1) {
      shares[(firstRow + r) * frame.width + firstCol + c] = share[r * width + c] ?? 0;
    }
  }
  return shares;
}

/** A share up to which a cell counts as lying at the edge of its zone. */
const HALF = 0.5;

/**
 * Distance of each cell from the edge of its zone, metres: two sweeps with steps of 1 and the root of two
 * (Borgefors 1986), at most 8 % long; 0 for cells that lie outside by more than half.
 */
export function metresInside({ frame, share }: Pick<ZoneCells, "frame" | "share">): Float32Array {
  const { width, height, cellM } = frame;
  const away = Float32Array.from(share, (one) => (one < HALF ? 0 : Number.POSITIVE_INFINITY));
  const at = (row: number, col: number): number =>
    row < 0 || col < 0 || row >= height || col >= width ? 0 : (away[row * width + col] ?? 0);
  for (let row = 0; row < height; row += 1) {
    for (let col = 0; col < width; col += 1) {
      const near = Math.min(at(row, col - 1), at(row - 1, col)) + 1;
      const across = Math.min(at(row - 1, col - 1), at(row - 1, col + 1)) + Math.SQRT2;
      away[row * width + col] = Math.min(at(row, col), near, across);
    }
  }
  for (let row = height - 1; row >= 0; row -= 1) {
    for (let col = width - 1; col >= 0; col -= 1) {
      const near = Math.min(at(row, col + 1), at(row + 1, col)) + 1;
      const across = Math.min(at(row + 1, col + 1), at(row + 1, col - 1)) + Math.SQRT2;
      away[row * width + col] = Math.min(at(row, col), near, across);
    }
  }
  // From the edge, not from the middle of the cell beyond it.
  return away.map((cells) => Math.max(0, (cells - HALF) * cellM));
}
