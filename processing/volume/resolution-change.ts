import type { Similarity } from "../geometry/similarity.ts";
import type { ElevationGrid } from "../grid/elevation-grid.ts";
import type { PlanPolygon } from "../grid/polygon-weights.ts";
import { resampleSurface } from "./alignment/resample-surface.ts";
import type { BaseSurface } from "./base/base-surface.ts";
import { fillFootprint } from "./footprint/fill-footprint.ts";
import { volumeAbove } from "./volume-above.ts";

/**
 * Of a footprint, the share that both resolutions need to have measured to be compared. More compares fewer piles,
 * less compares two different parts of one.
 */
const LEAST_COVERAGE = 0.9;

/**
 * What a volume changes by when the surface is matched in images of half the size and in cells twice as
 * large, cubic metres: windows round tops and toes off, and where grain is all the texture there is, halved
 * images have lost it. `undefined`: the survey has no coarser surface, or too little of it.
 * @param on grid, footprint and transform into it of the volume
 * @param baseOf base of the coarser surface on that grid; `undefined`: its ground gives none
 */
export function resolutionChange(
  { coarse }: ElevationGrid,
  on: {
    readonly surface: ElevationGrid;
    readonly polygon: PlanPolygon;
    readonly transform: Similarity;
    readonly netM3: number;
  },
  baseOf: (coarse: ElevationGrid) => BaseSurface | undefined,
): number | undefined {
  if (coarse === undefined) return undefined;
  const cells = coarse.width * coarse.height;
  // Correlation and views play no part here.
  const whole = { ...coarse, score: new Float32Array(cells), views: new Uint8Array(cells) };
  const surface = resampleSurface(whole, on.surface, on.transform);
  const base = baseOf(surface);
  if (base === undefined) return undefined;
  const { netM3, coverage } = volumeAbove(
    fillFootprint(surface, on.polygon).surface,
    on.polygon,
    base,
  );
  return coverage < LEAST_COVERAGE ? undefined : netM3 - on.netM3;
}
