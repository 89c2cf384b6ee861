import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { Type } from "typebox";
import { ProjectId } from "../../../domain/ids.ts";
import type { AssetDirectory } from "../../../ingest/directories/asset-directory.ts";
import type { ProgressReportRecords } from "../../../storage/ports/sites/progress-reports.ts";
import { visibleProject } from "../../access/asset-access.ts";
import { visibleReport } from "../../access/record-access.ts";
import { FAILURES, NOT_MODIFIED } from "../../errors/error.ts";
import { tagContent } from "../../representations/entity-tag.ts";
import { jsonOrCsv } from "../../representations/media-types.ts";
import { CSV_TYPE, preferredType } from "../../representations/negotiation.ts";
import type { ProgressLinks } from "../../representations/progress-links.ts";
import { sendCsv } from "../../representations/send-list.ts";
import { CONTRACT_PAGE_PARAMETERS, contractPage, paginationOf } from "../../schemas/page.ts";
import { DAY_PARAMETERS, readDayRange } from "./day-range.ts";
import { Report, ReportList, ReportPath } from "./report-schemas.ts";
import { listedReportView, REPORT_COLUMNS, reportPath, reportView } from "./report-view.ts";

export interface ReportReadsOptions {
  readonly reports: Pick<ProgressReportRecords, "find" | "list">;
  readonly directory: AssetDirectory;
  readonly links: ProgressLinks;
}

/** Reading progress reports; mounted at `/api/v1/progress`. */
const reportReads: FastifyPluginAsyncTypebox<ReportReadsOptions> = async (app, options) => {
  const { reports, directory, links } = options;

  app.get(
    "/reports",
    {
      config: { access: "progress:read", contract: true },
      schema: {
        operationId: "listReports",
        tags: ["progress"],
        summary: "Progress reports of a project, newest capture first",
        description: "Of corrected ones the newest revision.",
        querystring: Type.Object({
          project_id: ProjectId,
          ...DAY_PARAMETERS,
          ...CONTRACT_PAGE_PARAMETERS,
        }),
        response: { 200: jsonOrCsv("The reports of the project", ReportList), ...FAILURES },
      },
    },
    async (request, reply) => {
      const page = contractPage(request.query);
      const range = readDayRange(request.query);
      const { id: projectId } = visibleProject(directory, request, request.query.project_id);
      const found = await reports.list({ projectId, ...range, ...page });
      const data = found.reports.map(listedReportView);
      if (preferredType(request.headers.accept, [CSV_TYPE]) === CSV_TYPE) {
        return sendCsv(reply, data, REPORT_COLUMNS);
      }
      const pagination = paginationOf(page, data.length, found.total);
      return reply.send({ data, pagination });
    },
  );

  app.get(
    "/reports/:report_id",
    {
      config: { access: "progress:read", contract: true },
      onSend: tagContent,
      schema: {
        operationId: "getReport",
        tags: ["progress"],
        summary: "One progress report with its zones",
        description:
          'A report never changes: a correction is another one, which `Link: <...>; rel="successor-version"` then names. Its addresses are signed anew each day (UTC), and with them the ETag changes.',
        params: ReportPath,
        response: { 200: Report, ...NOT_MODIFIED, ...FAILURES },
      },
    },
    async (request, reply) => {
      const { report, supersededBy } = await visibleReport(
        reports,
        request,
        request.params.report_id,
      );
      if (supersededBy !== undefined) {
        reply.header("link", `<${reportPath(supersededBy)}>; rel="successor-version"`);
      }
      return await reportView(report, links);
    },
  );
};

export default reportReads;
