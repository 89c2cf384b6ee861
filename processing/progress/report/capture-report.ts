import type { CaptureId, ReportId } from "../../../domain/ids.ts";
import type { Capture, ZoneEstimate } from "../../../domain/sites/capture.ts";
import type { ProgressReport } from "../../../domain/sites/progress-report.ts";
import type { WorkZone } from "../../../domain/sites/work-zone.ts";
import { comparedPlan, wholePlan } from "./compared-plan.ts";
import { earnedProgress } from "./earned-progress.ts";
import { loadEvidence } from "./load-evidence.ts";
import { loadPlan } from "./load-plan.ts";
import { makeReport } from "./make-report.ts";
import { reportImages } from "./report-images.ts";
import type { ReportTools } from "./report-tools.ts";
import { reportZones } from "./report-zones.ts";

/** A report, or why there is none. */
export type MadeReport =
  | { readonly report: ProgressReport; readonly noReport: undefined }
  | { readonly report: undefined; readonly noReport: string };

/** What a capture's report is made of, beside what is on record. */
export interface CaptureReportInput {
  readonly capture: Pick<Capture, "id" | "project_id" | "products">;
  readonly captureDateMs: number;
  /** As they are now. */
  readonly zones: readonly WorkZone[];
  readonly estimates: readonly ZoneEstimate[];
  readonly pictures: ProgressReport["pictures"];
  readonly warnings: readonly string[];
  readonly recordedAtMs: number;
  /** For the files of the report; without a slash at the end. */
  readonly folder: string;
}

/** The report that a capture makes, however often it is worked on. */
const reportIdOf = (captureId: CaptureId): ReportId =>
  `rpt_${captureId.replace(/^cap_/, "")}` as ReportId;

const NO_ZONES = "the project has no work zones: there is no progress to report";
const NO_PLAN =
  "the project has no plan: neither an imported schedule, nor planned_start and planned_finish";

/**
 * Makes the report of a capture and stores its pictures; the report itself is the caller's to store.
 * @throws what `signal` fires with; DomainError `STORE_UNAVAILABLE`, `TASK_FAILED`, `PROJECT_NOT_FOUND`.
 */
export async function captureReport(
  tools: ReportTools,
  input: CaptureReportInput,
  signal: AbortSignal,
): Promise<MadeReport> {
  const { capture, captureDateMs, zones } = input;
  if (zones.length === 0) return { report: undefined, noReport: NO_ZONES };
  const project = await tools.projects.find(capture.project_id);
  const known = project && (await loadPlan(tools, project, zones));
  if (known === undefined) return { report: undefined, noReport: NO_PLAN };
  const moment = { captureId: capture.id, captureDateMs };
  const evidence = await loadEvidence(tools, zones, input.estimates, moment);
  const reported = reportZones(zones, evidence, known.plan, moment);
  const plan = comparedPlan(known.plan, reported.zones, captureDateMs);
  const captureDate = new Date(captureDateMs).toISOString();
  const flight =
    capture.products === undefined
      ? await tools.captures.newestFlight(capture.project_id, captureDateMs)
      : { products: capture.products, capture_date: captureDate };
  const about = { projectId: capture.project_id, captureDateMs };
  const report = makeReport({
    id: reportIdOf(capture.id),
    project_id: capture.project_id,
    capture_id: capture.id,
    revision: 1,
    supersedes: undefined,
    capture_date: captureDate,
    recorded_at: new Date(input.recordedAtMs).toISOString(),
    zones: reported.zones,
    weight_basis: reported.weightBasis,
    schedule_revision: known.scheduleRevision,
    images: await reportImages(
      tools,
      { flight, workZones: zones, zones: reported.zones, captureDate, folder: input.folder },
      signal,
    ),
    pictures: input.pictures,
    correction: undefined,
    warnings: [...input.warnings, ...plan.warnings],
    basis: plan.basis,
    planned: plan.plannedPercent(captureDateMs),
    plannedAll: wholePlan(known.plan, reported.zones).plannedPercent(captureDateMs),
    earned: await earnedProgress(tools, plan, about),
  });
  return { report, noReport: undefined };
}
