import type { ReportId } from "../../../domain/ids.ts";
import type { ProgressReport, ReportZone } from "../../../domain/sites/progress-report.ts";
import { percentOf } from "../../representations/percent.ts";
import type { ProgressLinks } from "../../representations/progress-links.ts";
import type { CsvColumns } from "../../representations/send-list.ts";
import type { ListedReport, Report } from "./report-schemas.ts";

/** Path of a report in the API. */
export const reportPath = (id: ReportId): string => `/api/v1/progress/reports/${id}`;

/** A report as in lists. */
export function listedReportView(report: ProgressReport): ListedReport {
  const { comparison, seen_share } = report;
  const { planned, actual, variance, basis } = comparison;
  return {
    id: report.id,
    project_id: report.project_id,
    capture_date: report.capture_date,
    progress_percentage: report.progress_percentage,
    status: report.status,
    comparison: { planned, actual, variance, basis, seen_percent: percentOf(seen_share) },
    zones_completed: report.zones_completed,
    total_zones: report.total_zones,
  };
}

/** A report with the addresses of its files: the contract's fields first. */
export async function reportView(report: ProgressReport, links: ProgressLinks): Promise<Report> {
  const { images, comparison } = report;
  return {
    id: report.id,
    project_id: report.project_id,
    capture_date: report.capture_date,
    progress_percentage: report.progress_percentage,
    status: report.status,
    zones: report.zones.map(zoneView),
    images: {
      orthomosaic_url: await links.file(images.orthomosaic_key),
      model_3d_url: await links.file(images.model_3d_key),
      kind: images.kind,
      as_of: images.as_of,
      map_url: await links.file(images.map_key),
    },
    capture_id: report.capture_id,
    recorded_at: report.recorded_at,
    interval_95: intervalView(report.interval_95),
    seen_percent: percentOf(report.seen_share),
    seen_interval_95: intervalView(report.seen_interval_95),
    status_confidence: report.status_confidence,
    schedule: {
      planned: comparison.planned,
      planned_all: comparison.planned_all,
      variance: comparison.variance,
      basis: comparison.basis,
      tolerance_points: comparison.tolerance_points,
      revision: report.schedule_revision ?? null,
    },
    earned_value: earnedValueView(report.earned_value),
    weight_basis: report.weight_basis,
    revision: report.revision,
    supersedes: report.supersedes ?? null,
    correction: report.correction === undefined ? null : { ...report.correction },
    warnings: [...report.warnings],
    pictures: await Promise.all(
      report.pictures.map(async ({ title, key }) => ({ title, url: await links.file(key) })),
    ),
    report_url: links.reportPage(report.id),
  };
}

const zoneView = (zone: ReportZone): Report["zones"][number] => ({
  name: zone.name,
  progress: zone.progress,
  status: zone.status,
  zone_id: zone.zone_id,
  method: zone.method,
  interval_95: intervalView(zone.interval_95),
  observed_percent: percentOf(zone.observed_fraction),
  evidence: { ...zone.evidence },
  planned: zone.planned,
  weight: zone.weight,
  as_of: zone.as_of,
  raw_progress: zone.raw_progress,
  regression_suspected: zone.regression_suspected,
  no_estimate: zone.no_estimate,
  notes: [...zone.notes],
});

const intervalView = (interval: ReportZone["interval_95"]): number[] | null =>
  interval === null ? null : [...interval];

/** Earned value with the forecast, as answers have it. */
export function earnedValueView(value: ProgressReport["earned_value"]): Report["earned_value"] {
  if (value === undefined) return null;
  const { forecast_finish_interval: interval, ...rest } = value;
  return { ...rest, forecast_finish_interval_95: interval === null ? null : [...interval] };
}

/** Columns of reports as CSV. */
export const REPORT_COLUMNS: CsvColumns<ListedReport> = {
  id: (one) => one.id,
  project_id: (one) => one.project_id,
  capture_date: (one) => one.capture_date,
  progress_percentage: (one) => one.progress_percentage,
  status: (one) => one.status,
  planned: (one) => one.comparison.planned,
  actual: (one) => one.comparison.actual,
  variance: (one) => one.comparison.variance,
  basis: (one) => one.comparison.basis,
  zones_completed: (one) => one.zones_completed,
  total_zones: (one) => one.total_zones,
  seen_percent: (one) => one.comparison.seen_percent,
};
