import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { type Static, Type } from "typebox";
import { ProjectId, ReportId } from "../../../domain/ids.ts";
import { type ProgressReport, REPORT_STATUSES } from "../../../domain/sites/progress-report.ts";
import type { AssetDirectory } from "../../../ingest/directories/asset-directory.ts";
import { wholePlan } from "../../../processing/progress/report/compared-plan.ts";
import { plannedCurve } from "../../../processing/progress/report/page/planned-curve.ts";
import { knowledgeOf } from "../../../processing/progress/report/seen-zones.ts";
import { projectDatesPlan } from "../../../processing/progress/schedule/project-dates-plan.ts";
import type { ProgressReportRecords } from "../../../storage/ports/sites/progress-reports.ts";
import { visibleProject } from "../../access/asset-access.ts";
import { FAILURES } from "../../errors/error.ts";
import { percentOf } from "../../representations/percent.ts";
import { Interval95 } from "../../schemas/interval.ts";
import { orNull } from "../../schemas/or-null.ts";
import { Timestamp } from "../../schemas/timestamp.ts";
import { EarnedValue } from "../reports/report-schemas.ts";
import { earnedValueView } from "../reports/report-view.ts";
import type { SchedulePlans } from "./schedule-plans.ts";
import { SchedulePath } from "./schedule-schemas.ts";
import { oneDecimal } from "./schedule-view.ts";

export interface ProgressCurveOptions {
  readonly reports: Pick<ProgressReportRecords, "list">;
  readonly directory: AssetDirectory;
  readonly plans: SchedulePlans;
}

/**
 * Newest reports of a curve: each is read whole from the store. Fewer leave out the beginning of a long project, more
 * touch each other on any screen.
 */
const MOST_REPORTS = 200;

const ProgressCurve = Type.Object(
  {
    project_id: ProjectId,
    plan: orNull(
      Type.Object({
        basis: Type.Enum(["schedule", "project_dates"]),
        revision: orNull(Type.Integer()),
        start: Timestamp,
        finish: Timestamp,
        points: Type.Array(Type.Object({ at: Timestamp, planned_percent: Type.Number() }), {
          description: "Of the whole project, seen or not",
        }),
      }),
    ),
    actual: Type.Array(
      Type.Object({
        report_id: ReportId,
        capture_date: Timestamp,
        progress_percentage: Type.Number(),
        seen_percent: Type.Number(),
        seen_interval_95: Interval95,
        interval_95: Interval95,
        planned: Type.Number(),
        status: Type.Enum([...REPORT_STATUSES]),
        unseen_zones: Type.Array(Type.String(), { description: "Names; not in the percent" }),
        earlier_zones: Type.Array(Type.String(), {
          description: "Names; older figures, lower bounds",
        }),
      }),
      {
        description:
          "Oldest first; interval_95 is of the whole project, seen_interval_95 of the percent",
      },
    ),
    left_out: Type.Integer({ description: "Older reports" }),
    earned_value: orNull(EarnedValue),
  },
  { title: "ProgressCurve" },
);
type ProgressCurve = Static<typeof ProgressCurve>;

/** Plan, progress and forecast of a project over time; mounted at `/api/v1/progress`. */
const progressCurve: FastifyPluginAsyncTypebox<ProgressCurveOptions> = async (app, options) => {
  const { reports, directory, plans } = options;

  app.get(
    "/projects/:project_id/curve",
    {
      config: { access: "progress:read" },
      schema: {
        operationId: "getProgressCurve",
        tags: ["progress"],
        summary: "Plan, progress with intervals by report, and forecast of a project over time",
        description:
          "By the newest schedule, else a line between the project's planned dates. Weights, earned value and forecast are the newest report's.",
        params: SchedulePath,
        response: { 200: ProgressCurve, ...FAILURES },
      },
    },
    async (request): Promise<ProgressCurve> => {
      const project = visibleProject(directory, request, request.params.project_id);
      const page = { limit: MOST_REPORTS, offset: 0 };
      const found = await reports.list({ projectId: project.id, ...page });
      const newest = found.reports[0];
      const known = await plans.find(project);
      const plan = known?.plan ?? projectDatesPlan(project);
      const whole = plan && (newest === undefined ? plan : wholePlan(plan, newest.zones));
      const curve = whole && (await plannedCurve(whole, whole.startMs));
      return {
        project_id: project.id,
        plan:
          whole === undefined || curve === undefined
            ? null
            : {
                basis: whole.basis,
                revision: known?.schedule.summary.revision ?? null,
                start: iso(whole.startMs),
                finish: iso(whole.finishMs),
                points: curve.points.map(([ms, percent]) => ({
                  at: iso(ms),
                  planned_percent: oneDecimal(percent),
                })),
              },
        actual: found.reports.map(pointOf).toReversed(),
        left_out: found.total - found.reports.length,
        earned_value: earnedValueView(newest?.earned_value),
      };
    },
  );
};

const iso = (ms: number): string => new Date(ms).toISOString();

function pointOf(report: ProgressReport): ProgressCurve["actual"][number] {
  const atMs = Date.parse(report.capture_date);
  const named = (knowledge: ReturnType<typeof knowledgeOf>) =>
    report.zones.filter((zone) => knowledgeOf(zone, atMs) === knowledge).map(({ name }) => name);
  return {
    report_id: report.id,
    capture_date: report.capture_date,
    progress_percentage: report.progress_percentage,
    seen_percent: percentOf(report.seen_share),
    planned: report.comparison.planned,
    status: report.status,
    interval_95: report.interval_95 === null ? null : [...report.interval_95],
    seen_interval_95: report.seen_interval_95 === null ? null : [...report.seen_interval_95],
    unseen_zones: named("never"),
    earlier_zones: named("before"),
  };
}

export default progressCurve;
