import type { ElevationGrid } from "../photogrammetry/elevation-grid.ts";
import { type PlanPolygon, polygonWeights } from "./polygon-weights.ts";

/** A surface whose gaps within a footprint were closed. */
export interface FilledFootprint {
  /** As given but for the cells filled: their score and their views are 0. */
  readonly surface: ElevationGrid;
  /**
   * Cells of the footprint whose height was not measured, 1 or 0 each: those filled here, and the small
   * holes that were filled when the surface was made (no views). Length `width * height`.
   */
  readonly interpolated: Uint8Array;
}

/** Rounds end when no height moves by more, metres: a hundredth of what a surface is sure to. */
const SETTLED_M = 1e-4;
/** Rounds at most, as a multiple of the longer side of the gaps' box in cells; twice that was never used. */
const MOST_ROUNDS = 8;

/**
 * Closes the gaps within a footprint by the smoothest skin over them (Laplace's equation; each cell the
 * mean of its neighbours), hung on the measured cells around, outside of the footprint as well. A gap
 * that nothing measured touches stays one. Nothing is ever taken for zero; heights that were measured do
 * not change, and neither do cells outside.
 */
export function fillFootprint(surface: ElevationGrid, polygon: PlanPolygon): FilledFootprint {
  const { width, height } = surface;
  const inside = polygonWeights(surface, polygon);
  const interpolated = new Uint8Array(width * height);
  const gaps: number[] = [];
  for (let r = 0; r < inside.height; r += 1) {
    const row = inside.firstRow + r;
    if (row < 0 || row >= height) continue;
    for (let c = 0; c < inside.width; c += 1) {
      const col = inside.firstCol + c;
      if (col < 0 || col >= width || inside.share[r * inside.width + c] === 0) continue;
      const cell = row * width + col;
      if (Number.isNaN(surface.elevationM[cell] ?? 0)) gaps.push(cell);
      else if (surface.views[cell] === 0) interpolated[cell] = 1;
    }
  }
  if (gaps.length === 0) return { surface, interpolated };
  const elevationM = surface.elevationM.slice();
  stretch(elevationM, width, height, gaps, Math.max(inside.width, inside.height));
  const score = surface.score.slice();
  const views = surface.views.slice();
  for (const cell of gaps) {
    if (Number.isNaN(elevationM[cell] ?? 0)) continue;
    interpolated[cell] = 1;
    score[cell] = 0;
    views[cell] = 0;
  }
  return { surface: { ...surface, elevationM, score, views }, interpolated };
}

/** Solves Laplace's equation in the gaps by successive over-relaxation (Young 1954), in place. */
function stretch(
  elevationM: Float32Array,
  width: number,
  height: number,
  gaps: readonly number[],
  side: number,
): void {
  const order = grownInwards(elevationM, width, height, gaps);
  const neighbours = order.map((cell) => {
    const col = cell % width;
    const around = [
      ...(col > 0 ? [cell - 1] : []),
      ...(col + 1 < width ? [cell + 1] : []),
      ...(cell >= width ? [cell - width] : []),
      ...(cell + width < width * height ? [cell + width] : []),
    ];
    // Beyond the footprint a gap stays open, and pulls no way.
    return around.filter((other) => !Number.isNaN(elevationM[other] ?? Number.NaN));
  });
  // Doubles while it settles: steps near the end are below what single precision holds at 100 m.
  const heights = Float64Array.from(elevationM);
  const over = 2 / (1 + Math.sin(Math.PI / Math.max(3, side)));
  for (let round = 0; round < MOST_ROUNDS * side; round += 1) {
    let most = 0;
    for (const [i, cell] of order.entries()) {
      const around = neighbours[i] ?? [];
      let sum = 0;
      for (const other of around) sum += heights[other] ?? 0;
      const step = over * (sum / around.length - (heights[cell] ?? 0));
      heights[cell] = (heights[cell] ?? 0) + step;
      most = Math.max(most, Math.abs(step));
    }
    if (most < SETTLED_M) break;
  }
  for (const cell of order) elevationM[cell] = heights[cell] ?? Number.NaN;
}

/**
 * Gives every gap that measured cells touch, or other gaps that they touch, the mean height of those it
 * was reached from: a start for the rounds. Yields them in the order in which they were reached.
 */
function grownInwards(
  elevationM: Float32Array,
  width: number,
  height: number,
  gaps: readonly number[],
): number[] {
  const order: number[] = [];
  let waiting = gaps;
  while (waiting.length > 0) {
    const reached: { readonly cell: number; readonly heightM: number }[] = [];
    const later: number[] = [];
    for (const cell of waiting) {
      const col = cell % width;
      let sum = 0;
      let known = 0;
      for (const other of [cell - 1, cell + 1, cell - width, cell + width]) {
        const isBeside =
          other >= 0 && other < width * height && Math.abs((other % width) - col) <= 1;
        const z = isBeside ? (elevationM[other] ?? Number.NaN) : Number.NaN;
        if (Number.isNaN(z)) continue;
        sum += z;
        known += 1;
      }
      if (known > 0) reached.push({ cell, heightM: sum / known });
      else later.push(cell);
    }
    if (reached.length === 0) break;
    for (const { cell, heightM } of reached) {
      elevationM[cell] = heightM;
      order.push(cell);
    }
    waiting = later;
  }
  return order;
}
