import type { ScheduleTask, WorkCurve } from "../../../domain/sites/schedule.ts";

/**
 * Share of the work that is done, 0 to 1, after the share `f` of the working time:
 *
 * - `linear` f
 * - `s_curve` 3 f^2 - 2 f^3: slow, fast, slow (docs/progress-method.md#schedules)
 * - `front` 1 - (1 - f)^2: three quarters of the work in the first half, the rate falls to 0
 * - `back` f^2: a quarter of the work in the first half, the mirror of `front`
 *
 * `milestone` and `points` are functions of the time itself, not of a share.
 */
const SHARE_BY_CURVE: Record<Exclude<WorkCurve, "milestone" | "points">, (f: number) => number> = {
  linear: (f) => f,
  s_curve: (f) => f * f * (3 - 2 * f),
  front: (f) => f * (2 - f),
  back: (f) => f * f,
};

/** The function of a curve over the share of the working time; a milestone has done nothing before its end. */
export function shareOf(curve: WorkCurve): (f: number) => number {
  if (curve === "milestone" || curve === "points") return (f) => (f < 1 ? 0 : 1);
  return SHARE_BY_CURVE[curve];
}

/** Share at a time by control points: linear in between, 0 before the first, as the last after it. */
export function shareByPoints(
  points: NonNullable<ScheduleTask["points"]>,
  wallMin: number,
): number {
  let low = 0;
  let high = points.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((points[middle]?.[0] ?? 0) <= wallMin) low = middle + 1;
    else high = middle;
  }
  const before = points[low - 1];
  if (before === undefined) return 0;
  const [fromMin, fromPercent] = before;
  const after = points[low];
  if (after === undefined) return fromPercent / 100;
  const [toMin, toPercent] = after;
  const f = (wallMin - fromMin) / (toMin - fromMin);
  return (fromPercent + f * (toPercent - fromPercent)) / 100;
}
