import type { FastifyRequest } from "fastify";
import { DomainError } from "../../domain/errors.ts";
import { isId, type ReportId } from "../../domain/ids.ts";
import type { FoundReport, ProgressReportRecords } from "../../storage/ports/progress-reports.ts";
import { seesProject } from "../auth/principal.ts";
import { principal } from "../plugins/guard.ts";

/**
 * A report that the key may see.
 * @throws DomainError `REPORT_NOT_FOUND`, the same for an absent one and for another tenant's.
 */
export async function visibleReport(
  reports: Pick<ProgressReportRecords, "find">,
  request: FastifyRequest,
  id: ReportId,
): Promise<FoundReport> {
  // The path is not validated: text that is no id names nothing, and never reaches the database.
  const found = isId(id) ? await reports.find(id) : undefined;
  if (found === undefined || !seesProject(principal(request), found.report.project_id)) {
    throw new DomainError("REPORT_NOT_FOUND", `no report ${id}`);
  }
  return found;
}

/** Path of a report in the API. */
export const reportPath = (id: ReportId): string => `/api/v1/progress/reports/${id}`;
