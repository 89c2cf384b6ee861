import { DomainError } from "../../../domain/errors.ts";
import type { ProjectId } from "../../../domain/ids.ts";
import type { ProgressReport } from "../../../domain/sites/progress-report.ts";
import type { ProgressReportRecords } from "../../../storage/ports/sites/progress-reports.ts";
import { appendEvents } from "./events.ts";
import { compareText, type MemoryRows, throughJson } from "./rows.ts";
import { keepLabel, requireCamera } from "./site-cameras.ts";
import { keepObservation, requireZone } from "./work-zones.ts";

/** Progress reports in memory. */
export function createMemoryProgressReports(
  rows: MemoryRows,
  now: () => number,
): ProgressReportRecords {
  const { reports } = rows;
  const newestOf = (projectId: ProjectId): readonly ProgressReport[] =>
    reports
      .filter(({ supersededBy }) => supersededBy === undefined)
      .map(({ report }) => report)
      .filter(({ project_id }) => project_id === projectId)
      .sort(
        (a, b) =>
          compareText(b.capture_date, a.capture_date) ||
          compareText(b.recorded_at, a.recorded_at) ||
          compareText(b.id, a.id),
      );
  return {
    find: async (id) => reports.find(({ report }) => report.id === id),
    async list({ projectId, fromMs = -Infinity, toMs = Infinity, limit, offset }) {
      const all = newestOf(projectId).filter(({ capture_date }) => {
        const ms = Date.parse(capture_date);
        return ms >= fromMs && ms < toMs;
      });
      return { reports: all.slice(offset, offset + limit), total: all.length };
    },
    newest: async (projectIds) => projectIds.flatMap((id) => newestOf(id).slice(0, 1)),
    async ofCapture(captureId) {
      return reports
        .map(({ report }) => report)
        .filter(({ capture_id }) => capture_id === captureId)
        .sort((a, b) => a.revision - b.revision)
        .at(-1);
    },
    async correct({ report, observations, labels, events }) {
      const at = reports.findIndex((found) => found.report.id === report.supersedes);
      const before = reports[at];
      if (before === undefined) {
        throw new DomainError("REPORT_NOT_FOUND", `no report "${report.supersedes}"`);
      }
      if (before.supersededBy !== undefined) {
        throw new DomainError("REPORT_CORRECTED", `report "${report.supersedes}" was corrected`);
      }
      if (reports.some((one) => one.report.id === report.id)) {
        throw new DomainError("ID_CONFLICT", `report id "${report.id}" is taken`);
      }
      for (const { zone_id } of [...observations, ...labels]) requireZone(rows, zone_id);
      for (const { camera_id } of labels) {
        if (camera_id !== undefined) requireCamera(rows, camera_id);
      }
      reports[at] = { ...before, supersededBy: report.id };
      reports.push({ report: throughJson(report), supersededBy: undefined });
      for (const observation of observations) keepObservation(rows, observation);
      for (const label of labels) keepLabel(rows, label);
      appendEvents(rows, events, now());
    },
  };
}
