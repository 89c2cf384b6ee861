import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { Type } from "typebox";
import type { ProgressReportRecords } from "../../../storage/ports/sites/progress-reports.ts";
import { visibleReport } from "../../access/record-access.ts";
import { FAILURES } from "../../errors/error.ts";
import { HTML_TYPE, preferredType } from "../../representations/negotiation.ts";
import type { ProgressLinks } from "../../representations/progress-links.ts";
import type { ReportPages } from "./report-pages.ts";
import { Report, ReportPath } from "./report-schemas.ts";
import { reportView } from "./report-view.ts";

export interface ReportDocumentsOptions {
  readonly reports: Pick<ProgressReportRecords, "find">;
  readonly links: ProgressLinks;
  readonly pages: ReportPages;
}

/** Progress reports for people; mounted at `/api/v1/progress`. */
const reportDocuments: FastifyPluginAsyncTypebox<ReportDocumentsOptions> = async (app, options) => {
  const { reports, links, pages } = options;

  app.get(
    "/reports/:report_id/report",
    {
      config: { access: "progress:read" },
      schema: {
        operationId: "getReportPage",
        tags: ["progress"],
        summary: "A progress report as JSON, or as a page to read and to print",
        params: ReportPath,
        querystring: Type.Object({
          format: Type.Optional(
            Type.Enum(["json", "html"], { description: "Absent: as the Accept header says" }),
          ),
        }),
        response: {
          200: {
            description: "The report",
            content: {
              "application/json": { schema: Report },
              [HTML_TYPE]: {
                schema: Type.String({
                  description: "One page without script; a browser's print makes the PDF",
                }),
              },
            },
          },
          ...FAILURES,
        },
      },
    },
    async (request, reply) => {
      const found = await visibleReport(reports, request, request.params.report_id);
      const { format = formatOf(request.headers.accept) } = request.query;
      if (format === "html") return await pages.send(reply, found);
      return reply.send(await reportView(found.report, links));
    },
  );
};

const formatOf = (accept: string | undefined): "html" | "json" =>
  preferredType(accept, [HTML_TYPE]) === HTML_TYPE ? "html" : "json";

export default reportDocuments;
