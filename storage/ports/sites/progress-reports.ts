import type { NewEvent } from "../../../domain/events/events.ts";
import type { CaptureId, ProjectId, ReportId } from "../../../domain/ids.ts";
import type { ProgressReport } from "../../../domain/sites/progress-report.ts";
import type { ZoneLabel, ZoneObservation } from "../../../domain/sites/site-camera.ts";

/** A report, and the one that corrected it. */
export interface FoundReport {
  readonly report: ProgressReport;
  readonly supersededBy: ReportId | undefined;
}

/** What a correction stores, in one transaction. */
export interface CorrectedReport {
  readonly report: ProgressReport;
  readonly observations: readonly ZoneObservation[];
  readonly labels: readonly ZoneLabel[];
  readonly events: readonly NewEvent[];
}

/** Progress reports; captures add them (`CaptureRecords.complete`), and none is ever changed. */
export interface ProgressReportRecords {
  find(id: ReportId): Promise<FoundReport | undefined>;
  /**
   * Reports that no other corrects, newest `capture_date` first, then by falling `recorded_at` and id.
   * `[fromMs, toMs)` is of the capture date, ms since the Unix epoch.
   */
  list(filter: {
    readonly projectId: ProjectId;
    readonly fromMs?: number;
    readonly toMs?: number;
    readonly limit: number;
    readonly offset: number;
  }): Promise<{ readonly reports: readonly ProgressReport[]; readonly total: number }>;
  /** The first that `list` has, of each of these projects that has one, in the order given. */
  newest(projectIds: readonly ProjectId[]): Promise<readonly ProgressReport[]>;
  /** The newest revision of the report of a capture. */
  ofCapture(captureId: CaptureId): Promise<ProgressReport | undefined>;
  /**
   * Stores the next revision.
   * @throws DomainError `REPORT_NOT_FOUND`, `REPORT_CORRECTED` when the report that it supersedes was corrected
   * meanwhile, `ZONE_NOT_FOUND` or `CAMERA_NOT_FOUND` when one of an observation or label was deleted.
   */
  correct(correction: CorrectedReport): Promise<void>;
}
