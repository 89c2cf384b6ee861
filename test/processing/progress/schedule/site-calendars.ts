import type { Schedule, ScheduleTask } from "../../../../domain/sites/schedule.ts";
import { isoWallMinutes } from "../../../../processing/progress/schedule/read/draft/wall-minutes.ts";
import {
  makeCalendar,
  type Shift,
} from "../../../../processing/progress/schedule/read/draft/work-spans.ts";

/** 08:00 to 12:00 and 13:00 to 17:00. */
export const EIGHT_HOURS: readonly Shift[] = [
  [480, 720],
  [780, 1_020],
];

/** The same shifts from Monday to Friday. */
export const week = (shifts: readonly Shift[]): readonly (readonly Shift[])[] =>
  [0, 1, 2, 3, 4, 5, 6].map((weekday) => (weekday < 5 ? shifts : []));

/** Day since 1970-01-01. */
export const day = (date: string): number => Date.parse(date) / 86_400_000;

/** Wall-clock minutes of a text such as "2026-03-02 08:00". */
export function wall(text: string): number {
  const min = isoWallMinutes(text);
  if (min === undefined) throw new Error(`no time: ${text}`);
  return min;
}

const FIVE_DAYS = makeCalendar("Five days", week(EIGHT_HOURS), new Map());

/** A task with calendar 0 from and to times such as "2026-03-02 08:00". */
export function task(from: string, to: string, more: Partial<ScheduleTask> = {}): ScheduleTask {
  return {
    code: "A",
    name: "A",
    wbs: "",
    zone_codes: [],
    start_min: wall(from),
    finish_min: wall(to),
    calendar: 0,
    curve: "linear",
    ...more,
  };
}

/** A schedule of tasks with the calendar of five days. */
export function scheduleOf(
  tasks: readonly ScheduleTask[],
  more: Partial<Schedule["summary"]> = {},
): Schedule {
  return {
    summary: {
      id: "sch_test" as Schedule["summary"]["id"],
      project_id: "p1" as Schedule["summary"]["project_id"],
      revision: 1,
      format: "xer",
      sha256: "0".repeat(64),
      name: "Test",
      data_date_min: undefined,
      start_min: Math.min(...tasks.map(({ start_min }) => start_min)),
      finish_min: Math.max(...tasks.map(({ finish_min }) => finish_min)),
      tasks: tasks.length,
      warnings: [],
      imported_by: "admin",
      imported_at: "2026-03-01T00:00:00.000Z",
      ...more,
    },
    calendars: [FIVE_DAYS],
    tasks,
  };
}
