import type { ProgressReport, ReportZone } from "../../../domain/sites/progress-report.ts";
import { toTenth } from "../../numeric/rounding.ts";
import type { ProjectProgress } from "./project-progress.ts";

/** Where a project is against its plan. */
export type PlanComparison = Pick<
  ProgressReport,
  "status" | "status_confidence" | "comparison" | "zones_completed" | "total_zones"
>;

/**
 * Compares percents of one decimal; the variance is their difference, so that readers can check it. On
 * schedule within the tolerance, its edges included; completed when all zones are, at 100 % (docs/progress-method.md#status).
 *
 * Work that was never seen makes a project neither late nor early. Where the seen zones have a plan of their
 * own, the rest counts as on plan, and the variance counts by the share seen. Otherwise the status must hold
 * whether the unseen work is 0 % or 100 % done. The confidence is low where the interval of the whole project
 * reaches across an edge of the band.
 */
export function reportStatus(options: {
  readonly progress: ProjectProgress;
  /** Of what was seen, and of the whole project. */
  readonly planned: number;
  readonly plannedAll: number;
  /** Whether `planned` is of the seen zones alone. */
  readonly isOfSeen: boolean;
  readonly basis: ProgressReport["comparison"]["basis"];
  readonly tolerancePoints: number;
  readonly zones: readonly Pick<ReportZone, "status">[];
}): PlanComparison {
  const { progress, isOfSeen, basis, tolerancePoints: tolerance, zones } = options;
  const { progress_percentage: actual, seen_share: share, interval_95, unseenRange } = progress;
  const planned = toTenth(options.planned);
  const plannedAll = toTenth(options.plannedAll);
  const variance = toTenth(actual - planned);
  const completed = zones.filter(({ status }) => status === "complete").length;
  const isDone = actual === 100 && completed === zones.length;
  const range: readonly [number, number] = isOfSeen
    ? [share * variance, share * variance]
    : [unseenRange[0] - planned, unseenRange[1] - planned];
  const status = isDone ? "completed" : bandOf(range, tolerance);
  const [low, high] = interval_95 ?? [0, 100];
  const isSure =
    isDone ||
    [low, high].every((end) => bandOf([end - plannedAll, end - plannedAll], tolerance) === status);
  return {
    status,
    status_confidence: isSure ? "high" : "low",
    comparison: {
      planned,
      planned_all: plannedAll,
      actual,
      variance,
      basis,
      tolerance_points: tolerance,
    },
    zones_completed: completed,
    total_zones: zones.length,
  };
}

/** Late or early only where both ends of a variance are. */
function bandOf(
  [low, high]: readonly [number, number],
  tolerance: number,
): ProgressReport["status"] {
  if (toTenth(low) > tolerance) return "ahead_of_schedule";
  return toTenth(high) < -tolerance ? "behind_schedule" : "on_schedule";
}
