import { closeGaps } from "../../grid/close-gaps.ts";
import type { ElevationGrid } from "../../grid/elevation-grid.ts";
import { type PlanPolygon, polygonWeights } from "../../grid/polygon-weights.ts";

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
  closeGaps(elevationM, width, gaps);
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
