import { DomainError } from "../../../domain/errors.ts";
import type { Capture } from "../../../domain/sites/capture.ts";
import type { WorkZone } from "../../../domain/sites/work-zone.ts";
import type { Job } from "../../../storage/ports/platform/jobs.ts";
import type { CompletedCapture } from "../../../storage/ports/sites/captures.ts";
import type { CaptureFindings } from "../analysis/analyser.ts";
import { attemptFolder } from "../analysis/attempt-folder.ts";
import { zoneTask } from "../analysis/zone-task.ts";
import { captureReport, type MadeReport } from "../report/capture-report.ts";
import { cameraEvents, reportEvents } from "../report/report-events.ts";
import type { ReportTools } from "../report/report-tools.ts";

const ONLY_SURVEY: MadeReport = {
  report: undefined,
  noReport: "the flight was sent for its survey alone",
};

/**
 * What the end of a capture stores: its findings, the report and the events.
 * @throws DomainError `TASK_FAILED` when a zone's outline, metric or surfaces were changed during the
 *   analysis: another attempt uses the new ones. What `captureReport` throws.
 */
export async function completedCapture(
  tools: ReportTools,
  about: {
    readonly capture: Capture;
    readonly job: Job;
    /** As the analyser had them. */
    readonly zones: readonly WorkZone[];
    readonly findings: CaptureFindings;
  },
  signal: AbortSignal,
): Promise<CompletedCapture> {
  const { capture, job, findings } = about;
  const { captureDateMs, moved, products } = findings;
  const now = await tools.workZones.list({ projectIds: [capture.project_id], offset: 0 });
  requireSameTask(about.zones, now.zones);
  const kept = new Map(now.zones.map((zone) => [zone.id, zone]));
  const estimates = findings.estimates.flatMap((estimate) => {
    const zone = kept.get(estimate.zone_id);
    return zone === undefined ? [] : [{ ...estimate, task: zoneTask(zone) }];
  });
  const warnings = [...findings.warnings, ...leftOut(findings.images)];
  const recordedAtMs = Date.now();
  const of = {
    capture: { id: capture.id, project_id: capture.project_id, products },
    captureDateMs,
    zones: now.zones,
    estimates,
    pictures: findings.pictures,
    warnings: [...warnings, ...moved.map(({ cameraId, note }) => `camera ${cameraId}: ${note}`)],
    recordedAtMs,
    folder: attemptFolder(capture.id, job),
  };
  const { report, noReport } =
    capture.purpose === "survey" ? ONLY_SURVEY : await captureReport(tools, of, signal);
  return {
    capture: {
      ...capture,
      state: "completed",
      completed_at: new Date(recordedAtMs).toISOString(),
      capture_date: new Date(captureDateMs).toISOString(),
      report_id: report?.id,
      no_report: noReport,
      error: undefined,
      images: findings.images,
      warnings,
      estimates,
      products,
    },
    report,
    baselines: findings.baselines,
    datum: findings.datum,
    views: findings.views,
    suspended: moved.map(({ cameraId }) => cameraId),
    events: [
      ...(report === undefined ? [] : await reportEvents(tools, report)),
      ...cameraEvents(capture, captureDateMs, moved),
    ],
  };
}

/** One line for all images that were not used: each has its own reason. */
function leftOut(images: Capture["images"]): readonly string[] {
  const refused = images.filter(({ status }) => status === "rejected");
  const [first] = refused;
  return first === undefined
    ? []
    : [`${refused.length} of ${images.length} images were refused: ${first.reason ?? first.url}`];
}

function requireSameTask(then: readonly WorkZone[], now: readonly WorkZone[]): void {
  const taskOf = ({ polygon, metric, baseline, design }: WorkZone) =>
    JSON.stringify([polygon ?? null, metric, baseline ?? null, design ?? null]);
  const known = new Map(then.map((zone) => [zone.id, zone]));
  for (const zone of now) {
    const before = known.get(zone.id);
    if (before !== undefined && taskOf(before) !== taskOf(zone)) {
      throw new DomainError("TASK_FAILED", `zone "${zone.id}" was changed during the analysis`);
    }
  }
}
