import { LEAST_LIFT_M, metresInside, type ZoneCells } from "./zone-cells.ts";

/** So far a step is rounded off, cells of the survey: half the window that is matched. */
const RIM_CELLS = 3;
/** Rise over run of a planned edge that is a step and no batter: 63 degrees (volume/wall-smear.ts). */
const STEP_SLOPE = 2;
/**
 * Of a zone that is nearly all rim, the rim counts: least share that must be left. Lower, a narrow wall is
 * estimated by few cells; higher, smeared edges count in more zones.
 */
const LEAST_LEFT = 0.5;

/**
 * Shares of the cells without the rim of what is planned, where the plan ends in a step: a wall, formwork,
 * the edge of a slab. Matching rounds those off over half a window, so that the cells there are neither top
 * nor ground, and would keep a finished zone from its design. Batters stay: at their toes nothing is high.
 * @param sourceCellM cell of the survey
 * @returns `share` itself where the zone is too small for it
 */
export function withoutRim(cells: ZoneCells, sourceCellM: number): Float32Array {
  const { frame, share, before, design } = cells;
  const planned = share.map((one, i) => {
    const liftM = Math.abs((design[i] ?? Number.NaN) - (before[i] ?? Number.NaN));
    // Holes of the surfaces are not edges of the plan.
    return Number.isNaN(liftM) || liftM >= LEAST_LIFT_M ? one : 0;
  });
  const inside = metresInside({ frame, share: planned });
  let [all, left] = [0, 0];
  const kept = share.map((one, i) => {
    const liftM = Math.abs((design[i] ?? 0) - (before[i] ?? 0));
    const rimM = Math.min(RIM_CELLS * sourceCellM, liftM / STEP_SLOPE);
    const isRim = (inside[i] ?? 0) < rimM;
    all += planned[i] ?? 0;
    if (!isRim) left += planned[i] ?? 0;
    return isRim ? 0 : one;
  });
  return left >= LEAST_LEFT * all ? kept : share;
}
