import type { ProgressReport, ReportZone } from "../../../domain/progress-report.ts";
import { tenth } from "./rounding.ts";

/** How a project stands against its plan. */
export type Standing = Pick<
  ProgressReport,
  "status" | "status_confidence" | "comparison" | "zones_completed" | "total_zones"
>;

/**
 * Compares percents of one decimal; the variance is their difference, so that readers can check it. On
 * schedule within the tolerance, its edges included; completed when all zones are, at 100 % (PROGRESS.md A4).
 * The confidence is low where the interval reaches across an edge of the band, or there is none.
 */
export function standing(options: {
  readonly actual: number;
  readonly interval: readonly [low: number, high: number] | undefined;
  readonly planned: number;
  readonly basis: ProgressReport["comparison"]["basis"];
  readonly tolerancePoints: number;
  readonly zones: readonly Pick<ReportZone, "status">[];
}): Standing {
  const { actual, interval, basis, tolerancePoints: tolerance, zones } = options;
  const planned = tenth(options.planned);
  const variance = tenth(actual - planned);
  const completed = zones.filter(({ status }) => status === "complete").length;
  const isDone = actual === 100 && completed === zones.length;
  const isSure = isDone || (interval !== undefined && staysInBand(interval, planned, tolerance));
  return {
    status: isDone ? "completed" : statusOf(variance, tolerance),
    status_confidence: isSure ? "high" : "low",
    comparison: { planned, actual, variance, basis, tolerance_points: tolerance },
    zones_completed: completed,
    total_zones: zones.length,
  };
}

function statusOf(variance: number, tolerance: number): ProgressReport["status"] {
  if (variance > tolerance) return "ahead_of_schedule";
  return variance < -tolerance ? "behind_schedule" : "on_schedule";
}

function staysInBand(
  [low, high]: readonly [number, number],
  planned: number,
  tolerance: number,
): boolean {
  return statusOf(tenth(low - planned), tolerance) === statusOf(tenth(high - planned), tolerance);
}
