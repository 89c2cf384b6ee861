import type { ProjectId, ReportId } from "../../domain/ids.ts";
import type { ProgressReport } from "../../domain/sites/progress-report.ts";
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
