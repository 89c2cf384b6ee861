import type { EarnedValue, ProgressReport } from "../../../domain/sites/progress-report.ts";
import { DEFAULT_TOLERANCE_POINTS } from "../../../domain/sites/progress-report.ts";
import { projectProgress } from "./project-progress.ts";
import { reportStatus } from "./report-status.ts";
import type { Interval } from "./rounding.ts";
import { seenZones } from "./seen-zones.ts";

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
  /** Percent planned at the capture date: of the zones that were seen (`comparedPlan`), and of all. */
  readonly planned: number;
  readonly plannedAll: number;
  /** Earned value at that percent; `undefined` without a schedule. */
  readonly earned:
    | ((
        actual: Pick<ProgressReport, "progress_percentage" | "seen_share">,
        interval: Interval | undefined,
      ) => EarnedValue | undefined)
    | undefined;
}

/** Works out a report's figures of the whole project from those of its zones, one or more. */
export function makeReport(draft: ReportDraft): ProgressReport {
  const { basis, planned, plannedAll, earned, ...rest } = draft;
  const { zones } = rest;
  const captureDateMs = Date.parse(rest.capture_date);
  const progress = projectProgress(zones, captureDateMs);
  const { progress_percentage, interval_95, seen_share, seen_interval_95 } = progress;
  return {
    ...rest,
    progress_percentage,
    interval_95,
    seen_share,
    seen_interval_95,
    earned_value: earned?.(progress, seen_interval_95 ?? undefined),
    ...reportStatus({
      progress,
      planned,
      plannedAll,
      isOfSeen: seenZones(zones, captureDateMs).every((zone) => zone.planned !== null),
      basis,
      tolerancePoints: DEFAULT_TOLERANCE_POINTS,
      zones,
    }),
  };
}
