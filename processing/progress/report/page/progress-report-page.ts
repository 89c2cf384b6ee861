import type { ProgressReport } from "../../../../domain/sites/progress-report.ts";
import { comparedPlan } from "../compared-plan.ts";
import { planOfReport } from "../load-plan.ts";
import type { ReportTools } from "../report-tools.ts";
import { plannedCurve } from "./planned-curve.ts";
import { reportHtml } from "./report-html.ts";

/** What pages about reports read. */
export type PageTools = Pick<
  ReportTools,
  "projects" | "workZones" | "schedules" | "progressReports"
>;

/**
 * Earlier reports that the curve shows at most: more would touch each other, fewer leave out the beginning.
 */
const MOST_POINTS = 100;

/**
 * The report as one HTML page, with the curve of its project's reports until then. The report is shown as it
 * was made; the planned curve is of its revision of the schedule, and by the project's dates as they are now.
 */
export async function progressReportPage(
  tools: PageTools,
  report: ProgressReport,
  options: {
    /** The address of a file by its key, for a browser. */
    readonly address: (key: string) => Promise<string>;
    /** Address of the project's logo. */
    readonly logoUrl?: string | undefined;
    /** The report that corrected this one. */
    readonly supersededBy: { readonly id: string; readonly url: string } | undefined;
    /** What else there is to open. */
    readonly links?: readonly { readonly text: string; readonly url: string }[];
  },
): Promise<string> {
  const { address, logoUrl, supersededBy, links = [] } = options;
  const { project_id: projectId } = report;
  const captureDateMs = Date.parse(report.capture_date);
  const project = await tools.projects.find(projectId);
  const { zones } = await tools.workZones.list({ projectIds: [projectId], offset: 0 });
  const known = project && (await planOfReport(tools, project, zones, report));
  const before = await tools.progressReports.list({
    projectId,
    toMs: captureDateMs + 1,
    limit: MOST_POINTS,
    offset: 0,
  });
  return reportHtml({
    report,
    project,
    logoUrl,
    // The revision that corrects this report takes its place in the list.
    earlier: before.reports.filter(({ capture_id }) => capture_id !== report.capture_id),
    plan:
      known &&
      (await plannedCurve(comparedPlan(known.plan, report.zones, captureDateMs), captureDateMs)),
    mapUrl: await address(report.images.map_key),
    pictures: await Promise.all(
      report.pictures.map(async ({ title, key }) => ({ title, url: await address(key) })),
    ),
    supersededBy,
    links,
  });
}
