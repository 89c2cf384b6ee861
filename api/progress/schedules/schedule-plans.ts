import { DomainError } from "../../../domain/errors.ts";
import type { ScheduleId } from "../../../domain/ids.ts";
import type { Project } from "../../../domain/project.ts";
import { MAX_SCHEDULE_TASKS, type Schedule } from "../../../domain/sites/schedule.ts";
import type { WorkZone } from "../../../domain/sites/work-zone.ts";
import {
  type SchedulePlan,
  schedulePlan,
} from "../../../processing/progress/schedule/schedule-plan.ts";
import type { RecordStore } from "../../../storage/ports/record-store.ts";

export type ScheduleRecordsOfProjects = Pick<RecordStore, "schedules" | "workZones">;

/** A schedule with the plan that it makes for the zones of the project as they are now. */
export interface KnownSchedule {
  readonly schedule: Schedule;
  readonly plan: SchedulePlan;
  readonly zones: readonly WorkZone[];
}

/**
 * Schedules that were asked for lately, and their plans: to read 50,000 activities from the store and to
 * prepare their plan takes some tenths of a second.
 */
export interface SchedulePlans {
  /** The newest revision, or the one of that number; `undefined`: the project has no schedule. */
  find(project: Project, revision?: number): Promise<KnownSchedule | undefined>;
  /** As `find`. @throws DomainError `SCHEDULE_NOT_FOUND`. */
  get(project: Project, revision?: number): Promise<KnownSchedule>;
  /** Keeps one that was just stored. */
  keep(schedule: Schedule): void;
}

/** One that is kept; the plan for zones and time zone as `zonesKey` has them. */
interface Kept {
  readonly schedule: Schedule;
  readonly plan?: SchedulePlan;
  readonly zonesKey?: string;
}

/**
 * Activities of all schedules that are kept, about 1 kB each: two of the largest. Fewer, and two large
 * projects read theirs anew at every request.
 */
const MOST_KEPT_TASKS = 2 * MAX_SCHEDULE_TASKS;

export function createSchedulePlans({
  schedules,
  workZones,
}: ScheduleRecordsOfProjects): SchedulePlans {
  /** Least recently used first; no schedule ever changes, a plan does with the zones. */
  const kept = new Map<ScheduleId, Kept>();

  function keep(one: Kept): void {
    const { id } = one.schedule.summary;
    kept.delete(id);
    kept.set(id, one);
    let tasks = 0;
    for (const { schedule } of kept.values()) tasks += schedule.tasks.length;
    for (const [oldest, { schedule }] of kept) {
      if (tasks <= MOST_KEPT_TASKS) break;
      tasks -= schedule.tasks.length;
      kept.delete(oldest);
    }
  }

  async function find(project: Project, revision?: number): Promise<KnownSchedule | undefined> {
    const summary = await schedules.summary(project.id, revision);
    if (summary === undefined) return undefined;
    const known = kept.get(summary.id);
    const schedule = known?.schedule ?? (await schedules.find(summary.id));
    if (schedule === undefined) return undefined;
    const { zones } = await workZones.list({ projectIds: [project.id], offset: 0 });
    const zonesKey = JSON.stringify([
      project.time_zone,
      ...zones.map(({ id, name, activities }) => [id, name, activities]),
    ]);
    const plan =
      known?.plan !== undefined && known.zonesKey === zonesKey
        ? known.plan
        : schedulePlan(schedule, zones, project.time_zone);
    keep({ schedule, plan, zonesKey });
    return { schedule, zones, plan };
  }

  return {
    find,
    keep: (schedule) => keep({ schedule }),
    async get(project, revision) {
      const known = await find(project, revision);
      if (known !== undefined) return known;
      throw new DomainError("SCHEDULE_NOT_FOUND", `no schedule of the project ${project.id}`);
    },
  };
}
