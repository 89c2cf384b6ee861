import type { FastifyPluginAsync } from "fastify";
import { type CaptureId, isId, type ReportId } from "../../../domain/ids.ts";
import type { Files } from "../../../storage/open.ts";
import type { CaptureRecords } from "../../../storage/ports/sites/captures.ts";
import type { ProgressReportRecords } from "../../../storage/ports/sites/progress-reports.ts";
import { Refusal } from "../../errors/refusal.ts";
import {
  reportPageKey,
  surveyReportKey,
  surveyReportPdfKey,
} from "../../representations/progress-links.ts";
import type { ReportPrinter } from "../../representations/report-printer.ts";
import { htmlAllowing, sendPage } from "../../representations/send-page.ts";
import type { ReportPages } from "./report-pages.ts";

export interface ProgressPageFilesOptions {
  readonly captures: Pick<CaptureRecords, "find">;
  readonly reports: Pick<ProgressReportRecords, "find">;
  readonly files: Pick<Files, "isSigned" | "store">;
  readonly pages: ReportPages;
  readonly printer: ReportPrinter;
}

type Query = { readonly Querystring: Record<string, unknown> };

/**
 * Pages about progress among the files, by the signed addresses that answers contain: a browser opens
 * them without a key. Not in the OpenAPI description, as files are not.
 */
const progressPageFiles: FastifyPluginAsync<ProgressPageFilesOptions> = async (
  app,
  { captures, reports, files, pages, printer },
) => {
  const config = { access: "public" } as const;
  const schema = { hide: true };

  function requireSigned(key: string, query: Record<string, unknown>): void {
    if (files.isSigned(key, query)) return;
    throw new Refusal(403, "forbidden", "The address is not signed, or has expired");
  }

  app.get<{ readonly Params: { readonly report_id: ReportId } } & Query>(
    "/files/reports/:report_id/report.html",
    { config, schema },
    async (request, reply) => {
      const { report_id: id } = request.params;
      requireSigned(reportPageKey(id), request.query);
      const found = isId(id) ? await reports.find(id) : undefined;
      if (found === undefined) throw new Refusal(404, "not_found", "Not found");
      return await pages.send(reply, found);
    },
  );

  async function surveyReport(id: CaptureId) {
    const capture = isId(id) ? await captures.find(id) : undefined;
    const key = capture?.products?.survey_report;
    const opened = key && (await files.store.get(key));
    if (!capture || !opened) throw new Refusal(404, "not_found", "Not found");
    return { body: opened.body, projectId: capture.project_id };
  }

  app.get<{ readonly Params: { readonly capture_id: CaptureId } } & Query>(
    "/files/captures/:capture_id/survey-report.html",
    { config, schema },
    async (request, reply) => {
      const { capture_id: id } = request.params;
      requireSigned(surveyReportKey(id), request.query);
      const { body } = await surveyReport(id);
      const type = "text/html; charset=utf-8";
      return sendPage(reply, { type, body, allowed: htmlAllowing([]) });
    },
  );

  app.get<{ readonly Params: { readonly capture_id: CaptureId } } & Query>(
    "/files/captures/:capture_id/survey-report.pdf",
    { config, schema },
    async (request, reply) => {
      const { capture_id: id } = request.params;
      requireSigned(surveyReportPdfKey(id), request.query);
      const report = await surveyReport(id);
      return await printer.send(reply, report, report.projectId);
    },
  );
};

export default progressPageFiles;
