import { LIMITS } from "../../gates/gate-thresholds.ts";
import { createEnuFrame } from "../../geometry/enu.ts";
import { isWide } from "../../geometry/plan-width.ts";
import { marksWithin } from "./control-names.ts";
import type { ControlPoint } from "./engine.ts";

/**
 * The control points that place a survey by themselves, with their marks in its images; empty: no three that are not
 * check points are marked in two images each, or they lie on a line.
 * @param names of the survey's images
 */
export function placingPoints(
  points: readonly ControlPoint[],
  names: readonly string[],
): readonly ControlPoint[] {
  const useful = marksWithin(points, names).filter(
    ({ isCheck, marks }) => !isCheck && new Set(marks.map(({ image }) => image)).size > 1,
  );
  return useful.length >= LIMITS.controlPoints && areSpread(useful) ? useful : [];
}

function areSpread(points: readonly ControlPoint[]): boolean {
  const [first] = points;
  if (first === undefined) return false;
  const frame = createEnuFrame(first);
  return isWide(points.map((point) => frame.toEnu(point)));
}
