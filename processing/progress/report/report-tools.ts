import type { FileStore } from "../../../storage/ports/files.ts";
import type { ProjectRecords } from "../../../storage/ports/platform/projects.ts";
import type { CaptureRecords } from "../../../storage/ports/sites/captures.ts";
import type { ProgressReportRecords } from "../../../storage/ports/sites/progress-reports.ts";
import type { ScheduleRecords } from "../../../storage/ports/sites/schedules.ts";
import type { WorkZoneRecords } from "../../../storage/ports/sites/work-zones.ts";
import type { ZonePlanFiles, ZonePlanInput } from "./zone-plan/zone-plan.ts";

/** What reports are made from. */
export interface ReportTools {
  readonly projects: Pick<ProjectRecords, "find">;
  readonly workZones: Pick<WorkZoneRecords, "list" | "observations">;
  readonly schedules: Pick<ScheduleRecords, "summary" | "find">;
  readonly captures: Pick<CaptureRecords, "estimates" | "newestFlight">;
  readonly progressReports: Pick<ProgressReportRecords, "list">;
  readonly files: FileStore;
  /** Draws map and model of the zones in a thread of its own (task `draw-zone-plan`). */
  readonly drawZonePlan: (input: ZonePlanInput, signal: AbortSignal) => Promise<ZonePlanFiles>;
}
