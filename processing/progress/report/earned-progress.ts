import type { ProjectId } from "../../../domain/ids.ts";
import type { ProgressReport } from "../../../domain/progress-report.ts";
import { earnedValue } from "../schedule/earned-value.ts";
import type { Plan } from "../schedule/plan.ts";
import type { ReportDraft } from "./make-report.ts";
import type { ReportTools } from "./report-tools.ts";

/** Earlier reports that are looked at for when a project was finished. Chosen. */
const MOST_REPORTS = 100;

/**
 * Earned value of a report: its own percent after those of the reports before it. `undefined` where the
 * plan is no schedule. `superseded` is not counted: it is corrected by this one.
 */
export async function earnedProgress(
  { progressReports }: Pick<ReportTools, "progressReports">,
  plan: Plan,
  about: { readonly projectId: ProjectId; readonly captureDateMs: number },
  superseded?: ProgressReport,
): Promise<ReportDraft["earned"]> {
  if (plan.basis !== "schedule") return undefined;
  const { projectId, captureDateMs } = about;
  const { reports } = await progressReports.list({
    projectId,
    toMs: captureDateMs + 1,
    limit: MOST_REPORTS,
    offset: 0,
  });
  const history = reports
    .filter(({ id }) => id !== superseded?.id)
    .map(({ capture_date, progress_percentage }) => ({
      atMs: Date.parse(capture_date),
      percent: progress_percentage,
    }))
    .toReversed();
  return (actual, interval) =>
    earnedValue(
      plan,
      [...history, { atMs: captureDateMs, percent: actual }],
      interval === undefined ? null : [interval[0], interval[1]],
    );
}
