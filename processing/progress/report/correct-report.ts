import { DomainError } from "../../../domain/errors.ts";
import { newId, type ObservationId, type ReportId, type WorkZoneId } from "../../../domain/ids.ts";
import type { ProgressReport, ReportZone } from "../../../domain/sites/progress-report.ts";
import type { ZoneLabel, ZoneObservation } from "../../../domain/sites/site-camera.ts";
import type { CorrectedReport } from "../../../storage/ports/sites/progress-reports.ts";
import type { SiteCameraRecords } from "../../../storage/ports/sites/site-cameras.ts";
import { toTenth } from "../../numeric/rounding.ts";
import { comparedPlan } from "./compared-plan.ts";
import { earnedProgress } from "./earned-progress.ts";
import { planOfReport } from "./load-plan.ts";
import { makeReport } from "./make-report.ts";
import { reportEvents } from "./report-events.ts";
import { reportImages } from "./report-images.ts";
import type { ReportTools } from "./report-tools.ts";
import { percentInterval } from "./rounding.ts";
import { knowledgeOf } from "./seen-zones.ts";

/** What corrections are made with. */
export interface CorrectionTools extends ReportTools {
  readonly siteCameras: Pick<SiteCameraRecords, "views">;
}

/** What a person says of a report's zones. */
export interface ReportCorrection {
  readonly report: ProgressReport;
  /** Who says so: a person's name, or the id of the API key. */
  readonly by: string;
  readonly note: string;
  readonly zones: readonly CorrectedZone[];
  readonly recordedAtMs: number;
}

/** What a person says of one zone of a report. */
interface CorrectedZone {
  readonly zoneId: WorkZoneId;
  /** Percent, 0 to 100; 100 confirms that the zone is complete. */
  readonly progress: number;
  readonly interval95?: readonly [low: number, high: number];
  /** Of this zone; absent: the correction's. */
  readonly note?: string;
}

/**
 * Makes and stores the next revision of a report: the corrected zones with the person's figures, the others
 * unchanged, and the project's figures computed from them, by the report's own weights and plan. Each
 * correction is an observation at the capture date, for reports to come, and a label of the capture's views
 * of the zone. Zones that were deleted meanwhile are corrected in the report alone. Reports of later captures
 * that are there already stay as they are. `store` is `ProgressReportRecords.correct`, or calls it; what it
 * yields is yielded.
 * @throws DomainError `PARAMETER_INVALID` naming the zone; `REPORT_CORRECTED` when the report was corrected
 * already; `PROJECT_NOT_FOUND`; `STORE_UNAVAILABLE`; what `signal` fires with.
 */
export async function correctReport<Stored>(
  tools: CorrectionTools,
  correction: ReportCorrection,
  signal: AbortSignal,
  store: (change: CorrectedReport) => Promise<Stored>,
): Promise<Stored> {
  const { report: before, by, note, recordedAtMs } = correction;
  const zones = correctedZones(correction);
  const project = await tools.projects.find(before.project_id);
  if (project === undefined) {
    throw new DomainError("PROJECT_NOT_FOUND", `no project "${before.project_id}"`);
  }
  const workZones = (await tools.workZones.list({ projectIds: [project.id], offset: 0 })).zones;
  const captureDateMs = Date.parse(before.capture_date);
  const known = await planOfReport(tools, project, workZones, before);
  const plan = known && comparedPlan(known.plan, zones, captureDateMs);
  const about = { projectId: project.id, captureDateMs };
  const id = newId<ReportId>("rpt");
  const images = await reportImages(
    tools,
    {
      flight: await tools.captures.newestFlight(project.id, captureDateMs),
      workZones,
      zones,
      captureDate: before.capture_date,
      folder: `reports/${id}`,
    },
    signal,
  );
  const report = makeReport({
    ...before,
    id,
    revision: before.revision + 1,
    supersedes: before.id,
    recorded_at: new Date(recordedAtMs).toISOString(),
    zones,
    images,
    correction: { by, note },
    basis: before.comparison.basis,
    planned:
      plan !== undefined && seesMore(before, zones)
        ? plan.plannedPercent(captureDateMs)
        : before.comparison.planned,
    plannedAll: before.comparison.planned_all,
    earned: plan && (await earnedProgress(tools, plan, about, before)),
  });
  const kept = new Set(workZones.map((zone) => zone.id));
  const observations = correction.zones
    .filter(({ zoneId }) => kept.has(zoneId))
    .map((zone) => observationOf(zone, correction));
  try {
    return await store({
      report,
      observations,
      labels: await labelsOf(tools, observations, before),
      events: await reportEvents(tools, report, before),
    });
  } catch (error) {
    // With the store unavailable it is not known whether the report is there and needs them.
    const isUnsure = error instanceof DomainError && error.code === "STORE_UNAVAILABLE";
    if (!isUnsure) {
      await tools.files.delete(images.map_key).catch(() => undefined);
      if (images.kind === "zone_plan") {
        await tools.files.delete(images.model_3d_key).catch(() => undefined);
      }
    }
    throw error;
  }
}

/** Whether a person corrected zones of which the report had no evidence, or only older evidence. */
function seesMore(before: ProgressReport, zones: readonly ReportZone[]): boolean {
  const atMs = Date.parse(before.capture_date);
  return before.zones.some((zone, i) => {
    const now = zones[i];
    return now !== undefined && knowledgeOf(zone, atMs) !== knowledgeOf(now, atMs);
  });
}

/** The report's zones, those that are corrected by the person's word. */
function correctedZones({ report, by, note, zones }: ReportCorrection): readonly ReportZone[] {
  const byId = new Map(zones.map((zone) => [zone.zoneId, zone]));
  if (byId.size === 0) {
    throw new DomainError("PARAMETER_INVALID", "a correction names one zone at least");
  }
  if (byId.size < zones.length) {
    throw new DomainError("PARAMETER_INVALID", "a correction names each zone once");
  }
  for (const { zoneId, progress, interval95 } of zones) {
    if (!report.zones.some(({ zone_id }) => zone_id === zoneId)) {
      throw new DomainError("PARAMETER_INVALID", `the report has no zone "${zoneId}"`);
    }
    const [low, high] = interval95 ?? [progress, progress];
    if (!(low >= 0 && low <= progress && progress <= high && high <= 100)) {
      throw new DomainError(
        "PARAMETER_INVALID",
        `zone "${zoneId}": the progress must lie within 0 and 100, and within its interval`,
      );
    }
  }
  return report.zones.map((zone): ReportZone => {
    const corrected = byId.get(zone.zone_id);
    if (corrected === undefined) return zone;
    const { progress, interval95, note: said = note } = corrected;
    const shown = progress >= 100 ? 100 : Math.min(99.9, toTenth(progress));
    return {
      ...zone,
      progress: shown,
      status: shown === 100 ? "complete" : shown < 0.5 ? "not_started" : "in_progress",
      method: "manual",
      interval_95: interval95 === undefined ? null : percentInterval(interval95),
      as_of: report.capture_date,
      regression_suspected: false,
      notes: [
        `corrected by ${by}: ${zone.progress} % was reported${said === "" ? "" : `; ${said}`}`,
        ...zone.notes,
      ],
      evidence: { corrected_by: by, told_before: zone.progress, before: zone.evidence },
    };
  });
}

function observationOf(
  { zoneId, progress, interval95, note: said }: CorrectedZone,
  { report, by, note, recordedAtMs }: ReportCorrection,
): ZoneObservation {
  return {
    id: newId<ObservationId>("obs"),
    zone_id: zoneId,
    project_id: report.project_id,
    progress,
    interval_95: interval95,
    observed_at: report.capture_date,
    observed_by: by,
    note: said ?? note,
    image_key: undefined,
    recorded_at: new Date(recordedAtMs).toISOString(),
    source: "correction",
  };
}

/** The capture's views of corrected zones, with what the person said of them. */
async function labelsOf(
  { siteCameras }: Pick<CorrectionTools, "siteCameras">,
  observations: readonly ZoneObservation[],
  { capture_id }: ProgressReport,
): Promise<readonly ZoneLabel[]> {
  const views = await siteCameras.views(capture_id);
  return views.flatMap((view) => {
    const said = observations.find(({ zone_id }) => zone_id === view.zone_id);
    if (said === undefined) return [];
    const { progress, observed_by, recorded_at } = said;
    const label: ZoneLabel = {
      ...view,
      id: newId<ObservationId>("obs"),
      progress,
      stage: undefined,
      labelled_by: observed_by,
      labelled_at: recorded_at,
      source: "correction",
    };
    return [label];
  });
}
