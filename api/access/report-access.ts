import type { FastifyRequest } from "fastify";
import type { ReportId } from "../../domain/ids.ts";
import type {
  FoundReport,
  ProgressReportRecords,
} from "../../storage/ports/sites/progress-reports.ts";
import { visibleRecord } from "./visible-record.ts";

/**
 * A report that the key may see.
 * @throws DomainError `REPORT_NOT_FOUND`, the same for an absent one and for another tenant's.
 */
export function visibleReport(
  reports: Pick<ProgressReportRecords, "find">,
  request: FastifyRequest,
  id: ReportId,
): Promise<FoundReport> {
  return visibleRecord(request, id, {
    find: (known) => reports.find(known),
    projectOf: (found) => found.report.project_id,
    notFound: "REPORT_NOT_FOUND",
    noun: "report",
  });
}

/** Path of a report in the API. */
export const reportPath = (id: ReportId): string => `/api/v1/progress/reports/${id}`;
