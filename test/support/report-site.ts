import type { ProjectId, ReportId, WorkZoneId } from "../../domain/ids.ts";
import type { ProgressReport, ReportZone } from "../../domain/sites/progress-report.ts";
import { report } from "../contracts/records/progress-rows.ts";
import type { TestApp } from "./api-app.ts";

export const REPORTS = "/api/v1/progress/reports";

/** A report of a project, and the one that corrected it. */
export type ReportRow = [
  project_id: ProjectId,
  id: string,
  capture_date: string,
  change?: Partial<ProgressReport>,
  supersededBy?: ReportId,
];

/** Puts a report into the app's records, and yields its id. */
export function putReport(t: TestApp, ...row: ReportRow): ReportId {
  const [project_id, id, capture_date, change = {}, supersededBy] = row;
  const full = report(id, { project_id, capture_date, ...change });
  t.records.rows.reports.push({ report: full, supersededBy });
  return full.id;
}

/** A zone of a report as a flight of that time measured it, 3 points up and down. */
export const measuredZone = (
  id: string,
  progress: number,
  as_of: string,
  change: Partial<ReportZone> = {},
): ReportZone => ({
  ...{ zone_id: id as WorkZoneId, name: id, progress, as_of, status: "in_progress" },
  ...{ method: "dsm_volume", interval_95: [progress - 3, progress + 3], observed_fraction: 1 },
  ...{ raw_progress: progress, planned: 50, weight: 1, regression_suspected: false },
  ...{ no_estimate: null, notes: [], evidence: {} },
  ...change,
});
