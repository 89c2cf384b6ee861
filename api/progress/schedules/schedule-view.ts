import type { ScheduleSummary } from "../../../domain/sites/schedule.ts";
import type { WorkZone } from "../../../domain/sites/work-zone.ts";
import type { SchedulePlan } from "../../../processing/progress/schedule/schedule-plan.ts";
import { createWallClock } from "../../../processing/progress/schedule/wall-clock.ts";
import type { CsvColumns } from "../../representations/send-list.ts";
import type { KnownSchedule } from "./schedule-plans.ts";
import type { ScheduleDetail, ScheduleRevision } from "./schedule-schemas.ts";

/** Most activities of no zone that an answer lists. */
const MOST_UNMATCHED = 50;

export const oneDecimal = (value: number): number => Math.round(value * 10) / 10;

/** Times of the file are of the project's wall clock; answers are in UTC. */
export function revisionView(summary: ScheduleSummary, timeZone: string): ScheduleRevision {
  const clock = createWallClock(timeZone);
  const iso = (wallMin: number) => new Date(clock.instantOf(wallMin)).toISOString();
  const { data_date_min, start_min, finish_min, tasks, ...rest } = summary;
  return {
    ...rest,
    ...(data_date_min === undefined ? {} : { data_date: iso(data_date_min) }),
    start: iso(start_min),
    finish: iso(finish_min),
    activities: tasks,
    warnings: [...rest.warnings],
  };
}

export function scheduleView(
  { schedule, plan, zones }: KnownSchedule,
  timeZone: string,
  nowMs: number,
): ScheduleDetail {
  const { unmatched } = plan.matches;
  return {
    ...revisionView(schedule.summary, timeZone),
    planned_percent: oneDecimal(plan.plannedPercent(nowMs)),
    weight_basis: plan.weightBasis,
    zones: zones.map((zone) => zoneView(zone, plan, nowMs)),
    unmatched_activities: unmatched.length,
    unmatched: unmatched.slice(0, MOST_UNMATCHED).flatMap((i) => {
      const task = schedule.tasks[i];
      if (task === undefined) return [];
      const { code, name, wbs, zone_codes } = task;
      return [{ code, name, wbs, zone_codes: [...zone_codes] }];
    }),
    plan_warnings: [...plan.warnings],
  };
}

function zoneView(
  { id, name }: WorkZone,
  plan: SchedulePlan,
  nowMs: number,
): ScheduleDetail["zones"][number] {
  const percent = plan.zonePlannedPercent(id, nowMs);
  return {
    zone_id: id,
    name,
    activities: plan.matches.tasksByZone.get(id)?.length ?? 0,
    ...(percent === undefined ? {} : { planned_percent: oneDecimal(percent) }),
  };
}

export const REVISION_COLUMNS: CsvColumns<ScheduleRevision> = {
  revision: (row) => row.revision,
  id: (row) => row.id,
  format: (row) => row.format,
  name: (row) => row.name,
  data_date: (row) => row.data_date,
  start: (row) => row.start,
  finish: (row) => row.finish,
  activities: (row) => row.activities,
  sha256: (row) => row.sha256,
  imported_by: (row) => row.imported_by,
  imported_at: (row) => row.imported_at,
};
