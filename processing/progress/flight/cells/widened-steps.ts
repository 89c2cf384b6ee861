import type { GridFrame } from "../../../grid/elevation-grid.ts";
import { leastAround } from "./window-filters.ts";
import { ROUNDED_CELLS, STEP_SLOPE } from "./zone-rim.ts";

/** Heights between which a step stands, metres above the baseline. */
export interface Step {
  readonly bottomM: number;
  readonly topM: number;
}

/**
 * Heights with steps where they stand. Matching shows what is high wider than it is: a window that lies half on a
 * slab and half on the floor below has the texture of the slab's edge, and so its height. A cell near a lower
 * floor, and as high as the step or not, gets the least height around it. Only what lies below the middle of the
 * step counts as a lower floor: noise of a slab that is whole widens nothing.
 * @param rise metres above the baseline; NaN where not known
 * @param floors heights that lower floors are looked for in: `rise`, or without what is rounded off at the zone's line,
 *     which is no lower floor
 * @param weights shares of the cells that count: lower floors are looked for among these
 * @param sourceCellM cell of the survey
 * @param times of the mean widening, half of the last window that is matched: 1 takes it off, 2 as much as any edge has
 * @returns `rise` itself where nothing is taken off
 */
export function withoutWidening(
  frame: GridFrame,
  { rise, floors }: { readonly rise: Float32Array; readonly floors: Float32Array },
  weights: Float32Array,
  sourceCellM: number,
  { bottomM, topM }: Step,
  times: number,
): Float32Array {
  // A low step is not wider than its batter would be: matching rounds it off instead.
  const byM = Math.min(times * ROUNDED_CELLS * sourceCellM, (topM - bottomM) / STEP_SLOPE);
  const reach = Math.round(byM / frame.cellM);
  if (reach < 1) return rise;
  // What lies around is not an open part of the zone's level, and what is smeared at its line is rim.
  const within = floors.map((z, i) => ((weights[i] ?? 0) > 0 ? z : Number.NaN));
  const least = leastAround(frame, within, reach);
  const middleM = (bottomM + topM) / 2;
  return rise.map((z, i) => {
    const lowM = least[i] ?? Number.NaN;
    return lowM < middleM ? Math.min(z, lowM) : z;
  });
}
