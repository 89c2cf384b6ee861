import type { ProjectId } from "../../../domain/ids.ts";
import type { ProgressReport } from "../../../domain/sites/progress-report.ts";
import { earnedValue } from "../schedule/earned-value.ts";
import type { Plan } from "../schedule/plan.ts";
import type { ReportDraft } from "./make-report.ts";
import type { ReportTools } from "./report-tools.ts";

/**
 * Earlier reports that are searched for when a project was finished: read for every report. With fewer, a long
 * project forgets that day.
 */
const MOST_REPORTS = 100;

/**
 * Earned value of a report: its own percent after those of the reports before it. `undefined` where the plan
 * is not a schedule. `superseded` is not counted: it is corrected by this one.
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
    .map((report) => ({ atMs: Date.parse(report.capture_date), percent: percentOf(report) }))
    .toReversed();
  return (actual, interval) =>
    earnedValue(
      plan,
      [...history, { atMs: captureDateMs, percent: percentOf(actual) }],
      interval === undefined ? null : [interval[0], interval[1]],
    );
}

/** Below 100 while zones were never seen: a project is not finished by those that were. */
const percentOf = ({
  progress_percentage: percent,
  seen_share,
}: Pick<ProgressReport, "progress_percentage" | "seen_share">): number =>
  seen_share < 1 ? Math.min(MOST_OF_A_PART, percent) : percent;

const MOST_OF_A_PART = 99.9;
