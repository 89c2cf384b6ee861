import type { EarnedValue, ProgressReport } from "../../../domain/progress-report.ts";
import { DEFAULT_TOLERANCE_POINTS } from "../../../domain/progress-report.ts";
import { projectInterval, weightedProgress } from "./project-progress.ts";
import { standing } from "./report-status.ts";
import type { Interval } from "./rounding.ts";

/** A report before its figures for the whole project. */
export interface ReportDraft
  extends Pick<
    ProgressReport,
    | "id"
    | "project_id"
    | "capture_id"
    | "revision"
    | "supersedes"
    | "capture_date"
    | "recorded_at"
    | "zones"
    | "weight_basis"
    | "schedule_revision"
    | "images"
    | "pictures"
    | "correction"
    | "warnings"
  > {
  readonly basis: ProgressReport["comparison"]["basis"];
  /** Percent that is planned for the project at the capture date. */
  readonly planned: number;
  /** Earned value at that percent; `undefined` without a schedule. */
  readonly earned:
    | ((actual: number, interval: Interval | undefined) => EarnedValue | undefined)
    | undefined;
}

/** Works out what a report tells of the whole project from what it tells of its zones, one or more. */
export function makeReport(draft: ReportDraft): ProgressReport {
  const { basis, planned, earned, ...told } = draft;
  const { zones } = told;
  const actual = weightedProgress(zones);
  const interval = projectInterval(zones, actual);
  return {
    ...told,
    progress_percentage: actual,
    interval_90: interval ?? null,
    earned_value: earned?.(actual, interval),
    ...standing({
      actual,
      interval,
      planned,
      basis,
      tolerancePoints: DEFAULT_TOLERANCE_POINTS,
      zones,
    }),
  };
}
