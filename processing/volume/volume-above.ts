import type { HeightField } from "../grid/elevation-grid.ts";
import { type PlanPolygon, polygonWeights } from "../grid/polygon-weights.ts";
import type { BaseSurface } from "./base/base-surface.ts";

/** Volume between a surface and its base within a polygon. */
export interface VolumeAbove {
  /** Material above the base, cubic metres, never negative. */
  readonly cutM3: number;
  /** Room below the base, cubic metres, never negative. */
  readonly fillM3: number;
  /** Cut less fill. */
  readonly netM3: number;
  /** Of the polygon, and of its part with heights in both, square metres. */
  readonly areaM2: number;
  readonly coveredM2: number;
  /** The second over the first, 0 to 1. What has no data is in no volume. */
  readonly coverage: number;
  /** Net over covered area, metres; 0 when nothing is covered. */
  readonly meanHeightM: number;
  /** Highest surface above base, metres; 0 when nothing is covered. */
  readonly maxHeightM: number;
  /** Spread of the ground about the base, metres; see {@link BaseSurface}. */
  readonly baseNmadM: number;
}

/**
 * Sums height above base times area over the surface's own cells, each with the exact share of it that
 * lies inside the polygon. Heights count at the middles of cells: over ground that bends, the error is
 * cell2 / 24 times what flows through the polygon's line (midpoint rule), nothing at all over planes.
 * Cells without data are left out and lower `coverage`; they are never counted as zero.
 */
export function volumeAbove(
  surface: HeightField,
  polygon: PlanPolygon,
  base: BaseSurface,
): VolumeAbove {
  const { westM, northM, cellM, width, height, elevationM } = surface;
  const weights = polygonWeights(surface, polygon);
  let cut = 0;
  let fill = 0;
  let area = 0;
  let covered = 0;
  let highest = Number.NEGATIVE_INFINITY;
  for (let r = 0; r < weights.height; r += 1) {
    const row = weights.firstRow + r;
    const y = northM - (row + 0.5) * cellM;
    for (let c = 0; c < weights.width; c += 1) {
      const share = weights.share[r * weights.width + c] ?? 0;
      if (share === 0) continue;
      area += share;
      const col = weights.firstCol + c;
      if (row < 0 || col < 0 || row >= height || col >= width) continue;
      const z = elevationM[row * width + col] ?? Number.NaN;
      const above = z - base.heightAt(westM + (col + 0.5) * cellM, y);
      if (Number.isNaN(above)) continue;
      covered += share;
      if (above > 0) cut += share * above;
      else fill -= share * above;
      if (above > highest) highest = above;
    }
  }
  const cellArea = cellM * cellM;
  const net = cut - fill;
  return {
    cutM3: cut * cellArea,
    fillM3: fill * cellArea,
    netM3: net * cellArea,
    areaM2: area * cellArea,
    coveredM2: covered * cellArea,
    coverage: area === 0 ? 0 : covered / area,
    meanHeightM: covered === 0 ? 0 : net / covered,
    maxHeightM: covered === 0 ? 0 : highest,
    baseNmadM: base.nmadM,
  };
}
