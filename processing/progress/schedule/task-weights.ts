import type { ScheduleTask } from "../../../domain/sites/schedule.ts";

/** What activities weigh against each other by. */
export type WeightBasis = "cost" | "work" | "duration" | "count";

export interface TaskWeights {
  readonly basis: WeightBasis;
  /** By index of the task, 0 or more. */
  readonly weights: Float64Array;
  /** Activities, without milestones, that the basis says nothing of: they weigh nothing. */
  readonly without: number;
}

/**
 * Share of the planned hours whose activities must have a cost (or work) for it to be the basis of the plan.
 * Lower, a few costed activities would represent all the others; higher, one activity without a cost would throw
 * away all costs.
 */
const ENOUGH = 0.8;

const AMOUNT = {
  cost: (task: ScheduleTask) => task.cost ?? 0,
  work: (task: ScheduleTask) => task.work_h ?? 0,
} as const;

/** Planned hours: what the file says, else the time from start to finish. */
export const hoursOf = (task: ScheduleTask): number =>
  task.duration_h ?? (task.finish_min - task.start_min) / 60;

/**
 * One basis for the whole plan, for amounts of different kinds cannot be added (docs/progress-method.md#schedules: cost >
 * work > duration > 1): the first of cost and work that activities with at least 80 % of the planned
 * hours have, else the duration. Activities without the amount weigh nothing then, as an activity without
 * a budget has no planned value. Control points say nothing of durations: where there are any, each
 * activity counts 1, and so it does where nothing has a duration.
 */
export function taskWeights(tasks: readonly ScheduleTask[]): TaskWeights {
  const work = tasks.filter(({ curve }) => curve !== "milestone");
  const hours = work.reduce((sum, task) => sum + hoursOf(task), 0);
  for (const basis of ["cost", "work"] as const) {
    const amount = AMOUNT[basis];
    const covered = work.reduce((sum, task) => sum + (amount(task) > 0 ? hoursOf(task) : 0), 0);
    if (covered > 0 && covered >= ENOUGH * hours) {
      const without = work.filter((task) => amount(task) === 0).length;
      return { basis, weights: Float64Array.from(tasks, amount), without };
    }
  }
  const isCounted = hours === 0 || work.some(({ curve }) => curve === "points");
  const weight = isCounted ? () => 1 : hoursOf;
  return {
    basis: isCounted ? "count" : "duration",
    weights: Float64Array.from(tasks, weight),
    without: 0,
  };
}
