import type { Project } from "../../../domain/project.ts";
import type { ProgressReport } from "../../../domain/sites/progress-report.ts";
import type { WorkZone } from "../../../domain/sites/work-zone.ts";
import type { Plan } from "../schedule/plan.ts";
import { projectDatesPlan } from "../schedule/project-dates-plan.ts";
import { schedulePlan } from "../schedule/schedule-plan.ts";
import type { ReportTools } from "./report-tools.ts";

/** A project's plan, and which revision of its schedule it is. */
export interface KnownPlan {
  readonly plan: Plan;
  /** `undefined`: by the project's dates. */
  readonly scheduleRevision: number | undefined;
}

type Tools = Pick<ReportTools, "schedules">;

/**
 * The plan by the newest imported schedule, else linear between the project's dates; `undefined` where
 * there is neither.
 */
export async function loadPlan(
  tools: Tools,
  project: Project,
  zones: readonly WorkZone[],
): Promise<KnownPlan | undefined> {
  return (await imported(tools, project, zones)) ?? byDates(project);
}

/**
 * The plan that a report was compared with: its own revision of the schedule, or the project's dates as they
 * are now. `undefined`: it is gone.
 */
export async function planOfReport(
  tools: Tools,
  project: Project,
  zones: readonly WorkZone[],
  { schedule_revision: revision }: Pick<ProgressReport, "schedule_revision">,
): Promise<KnownPlan | undefined> {
  return revision === undefined
    ? byDates(project)
    : await imported(tools, project, zones, revision);
}

async function imported(
  { schedules }: Tools,
  project: Project,
  zones: readonly WorkZone[],
  revision?: number,
): Promise<KnownPlan | undefined> {
  const summary = await schedules.summary(project.id, revision);
  const schedule = summary && (await schedules.find(summary.id));
  if (schedule === undefined) return undefined;
  const plan = schedulePlan(schedule, zones, project.time_zone);
  return { plan, scheduleRevision: schedule.summary.revision };
}

function byDates(project: Project): KnownPlan | undefined {
  const plan = projectDatesPlan(project);
  return plan && { plan, scheduleRevision: undefined };
}
