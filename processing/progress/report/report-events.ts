import type { EventType, NewEvent } from "../../../domain/events/events.ts";
import type { CameraId, CaptureId, ProjectId } from "../../../domain/ids.ts";
import type { ProgressReport } from "../../../domain/sites/progress-report.ts";
import { asPercent } from "../../numeric/rounding.ts";
import type { ReportTools } from "./report-tools.ts";
import { knowledgeOf } from "./seen-zones.ts";

/**
 * Zones that an event names at most, those that weigh most in it: all of them would make the event as long as the
 * report, which it links.
 */
const MOST_ZONES = 10;

/**
 * The events of a report: always that there is one. Also that the project is behind its schedule, where it
 * was not in the previous report by capture date, nor in the corrected one, and where there is no later
 * report. Ids follow from the report's.
 */
export async function reportEvents(
  { progressReports }: Pick<ReportTools, "progressReports">,
  report: ProgressReport,
  superseded?: ProgressReport,
): Promise<readonly NewEvent[]> {
  const events = [event(report, "created", "progress.report.created", {})];
  if (report.status !== "behind_schedule" || superseded?.status === "behind_schedule") {
    return events;
  }
  const { project_id: projectId } = report;
  const atMs = Date.parse(report.capture_date);
  const newest = { projectId, offset: 0 };
  const [later] = (await progressReports.list({ ...newest, fromMs: atMs + 1, limit: 1 })).reports;
  if (later !== undefined) return events;
  const until = await progressReports.list({ ...newest, toMs: atMs + 1, limit: 2 });
  const before = until.reports.find(({ id }) => id !== superseded?.id && id !== report.id);
  if (before?.status === "behind_schedule") return events;
  const zonesBehind = report.zones
    // An older figure does not show where a zone is against today's plan.
    .filter((zone) => knowledgeOf(zone, atMs) === "now")
    .flatMap((zone) => (zone.planned === null ? [] : [{ ...zone, planned: zone.planned }]))
    .filter(({ progress, planned }) => progress < planned - report.comparison.tolerance_points)
    .toSorted((a, b) => b.weight * (b.planned - b.progress) - a.weight * (a.planned - a.progress))
    .slice(0, MOST_ZONES)
    .map(({ zone_id, name, progress, planned }) => ({ zone_id, name, progress, planned }));
  return [
    ...events,
    event(report, "behind", "progress.behind_schedule", {
      tolerance_points: report.comparison.tolerance_points,
      previous_report_id: before?.id,
      zones_behind: zonesBehind,
      forecast_finish: report.earned_value?.forecast_finish ?? undefined,
    }),
  ];
}

function event(
  report: ProgressReport,
  kind: string,
  type: EventType,
  data: Readonly<Record<string, unknown>>,
): NewEvent {
  const { planned, actual, variance, basis } = report.comparison;
  return {
    id: `evt_${report.id}_${kind}`,
    revision: 1,
    type,
    projectId: report.project_id,
    assetId: undefined,
    occurredAtMs: Date.parse(report.capture_date),
    data: {
      report_id: report.id,
      capture_id: report.capture_id,
      capture_date: report.capture_date,
      report_revision: report.revision,
      supersedes: report.supersedes,
      status: report.status,
      status_confidence: report.status_confidence,
      progress_percentage: report.progress_percentage,
      seen_percent: asPercent(report.seen_share),
      planned,
      actual,
      variance,
      basis,
      zones_completed: report.zones_completed,
      total_zones: report.total_zones,
      ...data,
    },
  };
}

/** One event for each camera of a capture that no longer points where its reference view does. */
export function cameraEvents(
  capture: { readonly id: CaptureId; readonly project_id: ProjectId },
  captureDateMs: number,
  moved: readonly { readonly cameraId: CameraId; readonly note: string }[],
): readonly NewEvent[] {
  return moved.map(({ cameraId, note }) => ({
    id: `evt_${capture.id}_moved_${cameraId}`,
    revision: 1,
    type: "progress.camera_moved",
    projectId: capture.project_id,
    assetId: undefined,
    occurredAtMs: captureDateMs,
    data: { camera_id: cameraId, capture_id: capture.id, note, estimates: "suspended" },
  }));
}
