import type { GridFrame } from "../../../grid/elevation-grid.ts";
import { boxMean, largestAround, leastAround } from "./window-filters.ts";
import { LEAST_LIFT_M, metresInside, type ZoneCells } from "./zone-cells.ts";

/** So far a step is rounded off, cells of the survey: half the window that is matched. */
const RIM_CELLS = 3;
/** Cells to either side over which heights are means: half of the last window that is matched. */
export const ROUNDED_CELLS = 2;
/** Rise over run of a planned edge that is a step and no batter: 63 degrees (volume/wall-smear.ts). */
export const STEP_SLOPE = 2;
/**
 * Share of the lift around that a plan keeps up to its edge where it ends in a step: 1 of a step, a half of
 * one that is rounded off already, 0 at the toe of a batter. Lower, batters count as steps; higher, steps on
 * uneven ground do not.
 */
const STEP_SHARE = 0.75;
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
 * @param toleranceM cells that rounding alone keeps farther from their design are rim as well, metres
 * @returns `share` itself where the zone is too small for it
 */
export function withoutRim(
  cells: ZoneCells,
  sourceCellM: number,
  toleranceM = Number.POSITIVE_INFINITY,
): Float32Array {
  const { frame, share, before, design } = cells;
  const planned = share.map((one, i) => {
    const liftM = Math.abs((design[i] ?? Number.NaN) - (before[i] ?? Number.NaN));
    // Holes of the surfaces are not edges of the plan.
    return Number.isNaN(liftM) || liftM >= LEAST_LIFT_M ? one : 0;
  });
  const inside = metresInside({ frame, share: planned });
  const { design: seen } = planAsSeen(cells, sourceCellM);
  let [all, left] = [0, 0];
  const kept = share.map((one, i) => {
    const liftM = Math.abs((design[i] ?? 0) - (before[i] ?? 0));
    const rimM = Math.min(RIM_CELLS * sourceCellM, liftM / STEP_SLOPE);
    const isOff = Math.abs((seen[i] ?? 0) - (design[i] ?? 0)) > toleranceM;
    const isRim = (inside[i] ?? 0) < rimM || isOff;
    all += planned[i] ?? 0;
    if (!isRim) left += planned[i] ?? 0;
    return isRim ? 0 : one;
  });
  return left >= LEAST_LEFT * all ? kept : share;
}

/**
 * A surface as the survey would show it. Compared with a design whose crests and toes are sharp, a finished
 * zone lacks volume at its crests and has too much at its toes; the two do not cancel.
 */
export const roundedOff = (
  frame: GridFrame,
  heights: Float32Array,
  sourceCellM: number,
): Float32Array => boxMean(frame, heights, Math.round((ROUNDED_CELLS * sourceCellM) / frame.cellM));

/**
 * A zone with its plan as the survey would show it once it is built, and nothing around it is. A plan that ends
 * in a step at the zone's line, as a level above the baseline does, has no batter that could be rounded off
 * with it (`roundedOff`); without this a finished road 4 m wide lacks a sixth of its volume in cells of 0.3 m,
 * however thick it is.
 */
export function planAsSeen(cells: ZoneCells, sourceCellM: number): ZoneCells {
  const { frame, share, before, design } = cells;
  const lifts = design.map((z, i) => ((share[i] ?? 0) > 0 ? z - (before[i] ?? Number.NaN) : 0));
  const isStep = stepsIn(cells, lifts, RIM_CELLS * sourceCellM);
  const parts = lifts.map((liftM, i) => liftM * (share[i] ?? 0));
  const seen = roundedOff(frame, parts, sourceCellM);
  return {
    ...cells,
    design: design.map((z, i) => (isStep(i) ? (before[i] ?? Number.NaN) + (seen[i] ?? 0) : z)),
  };
}

/** Whether the plan around a cell is as high at its edge as within. */
function stepsIn({ frame, share }: ZoneCells, lifts: Float32Array, reachM: number) {
  const reach = Math.max(1, Math.round(reachM / frame.cellM));
  const within = lifts.map((liftM, i) => {
    const sizeM = Math.abs(liftM);
    return (share[i] ?? 0) > 0 && sizeM >= LEAST_LIFT_M ? sizeM : Number.NaN;
  });
  const [least, largest] = [leastAround(frame, within, reach), largestAround(frame, within, reach)];
  return (cell: number): boolean =>
    !Number.isNaN(within[cell] ?? Number.NaN) &&
    (least[cell] ?? 0) >= STEP_SHARE * (largest[cell] ?? 0);
}
