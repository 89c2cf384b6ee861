import type { CaptureId, ReportId } from "../../domain/ids.ts";
import { DAY_MS } from "../../domain/time.ts";
import type { Files } from "../../storage/open.ts";
import { createFileLinks, type FileLinks } from "./file-links.ts";

/**
 * Addresses end seven days after the start of the day (UTC) that they were made on: six days at least; and
 * all answers of one day hold the same ones, so that a report's entity tag lasts as long. Storage of the S3
 * kind signs for no longer; fewer days would break links in mails.
 */
const EXPIRES_DAYS = 7;

/** Addresses of what captures and reports leave; they open without a header. */
export interface ProgressLinks extends FileLinks {
  /** The quality report of a capture's survey, a page. */
  surveyReport(id: CaptureId): string;
  /** The same as PDF. */
  surveyReportPdf(id: CaptureId): string;
  /** A progress report as a page. */
  reportPage(id: ReportId): string;
}

/** The keys under which pages are signed: no files of the store have them. */
export const surveyReportKey = (id: CaptureId): string => `captures/${id}/survey-report.html`;
export const surveyReportPdfKey = (id: CaptureId): string => `captures/${id}/survey-report.pdf`;
export const reportPageKey = (id: ReportId): string => `reports/${id}/report.html`;

export function createProgressLinks(
  files: Pick<Files, "store" | "sign">,
  now: () => number,
): ProgressLinks {
  const links = createFileLinks(
    files,
    () => (Math.floor(now() / DAY_MS) + EXPIRES_DAYS) * DAY_MS,
    now,
  );
  return {
    ...links,
    surveyReport: (id) => links.own(surveyReportKey(id)),
    surveyReportPdf: (id) => links.own(surveyReportPdfKey(id)),
    reportPage: (id) => links.own(reportPageKey(id)),
  };
}
