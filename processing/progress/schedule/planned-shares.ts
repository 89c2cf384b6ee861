import type { ScheduleTask, WorkCalendar } from "../../../domain/sites/schedule.ts";
import { shareByPoints, shareOf } from "./work-curves.ts";
import { type WorkedMinutes, workedMinutes } from "./working-time.ts";

/** Planned shares of many activities at a time. */
export interface PlannedShares {
  /**
   * Sum of weight x share (0 to 1) over activities, at wall-clock minutes; `tasks` are indices, absent: all.
   * O(activities), and only those under way cost more than two comparisons.
   */
  weighted(weights: Float64Array, wallMin: number, tasks?: Int32Array): number;
}

/** Every minute of a task without calendar is working time. */
const everyMinute: WorkedMinutes = (wallMin) => wallMin;

/**
 * The share of an activity at a time t is its curve at f = worked(start, t) / worked(start, finish) on its
 * calendar (docs/progress-method.md#schedules). Where its calendar has no working time between start and finish, all minutes
 * count instead.
 */
export function createPlannedShares(
  tasks: readonly ScheduleTask[],
  calendars: readonly WorkCalendar[],
): PlannedShares {
  const startMin = Float64Array.from(tasks, (task) => task.start_min);
  const finishMin = Float64Array.from(tasks, (task) => task.finish_min);
  const lastShare = Float64Array.from(tasks, ({ points }) => (points?.at(-1)?.[1] ?? 100) / 100);
  const worked = calendars.map(workedMinutes);
  const shares = tasks.map((task) => shareAt(task, worked));
  const all = Int32Array.from(tasks, (_, i) => i);
  return {
    weighted(weights, wallMin, some = all) {
      let sum = 0;
      for (const i of some) {
        const weight = weights[i] ?? 0;
        // The finish first: at the moment of a milestone it is reached.
        if (wallMin >= (finishMin[i] ?? 0)) sum += weight * (lastShare[i] ?? 1);
        else if (wallMin >= (startMin[i] ?? 0)) sum += weight * (shares[i]?.(wallMin) ?? 0);
      }
      return sum;
    },
  };
}

/** The share of an activity at a time from its start up to its finish. */
function shareAt(
  { start_min, finish_min, calendar, curve, points }: ScheduleTask,
  calendars: readonly WorkedMinutes[],
): (wallMin: number) => number {
  if (curve === "points" && points !== undefined) {
    return (wallMin) => shareByPoints(points, wallMin);
  }
  const share = shareOf(curve);
  const own = (calendar === undefined ? undefined : calendars[calendar]) ?? everyMinute;
  const worked = own(finish_min) > own(start_min) ? own : everyMinute;
  const before = worked(start_min);
  const whole = worked(finish_min) - before;
  return (wallMin) => share((worked(wallMin) - before) / whole);
}
