import type { WorkZoneId } from "../../../domain/ids.ts";
import type { Schedule, ScheduleTask } from "../../../domain/sites/schedule.ts";
import { type MatchedZone, matchZones, type ZoneMatches } from "./match-zones.ts";
import type { Plan, PlannedWork } from "./plan.ts";
import { createPlannedShares } from "./planned-shares.ts";
import { hoursOf, taskWeights, type WeightBasis } from "./task-weights.ts";
import { createWallClock } from "./wall-clock.ts";

/** A plan by an imported schedule, and how its activities fall to the zones. */
export interface SchedulePlan extends Plan {
  readonly basis: "schedule";
  readonly weightBasis: WeightBasis;
  readonly matches: ZoneMatches;
}

/** Most zones that a warning names. */
const MOST_NAMED = 5;

/** Indices of a zone's activities, and what they weigh against each other. */
interface ZonePart {
  readonly tasks: Int32Array;
  readonly weights: Float64Array;
  readonly sum: number;
  readonly work: PlannedWork;
}

/**
 * The plan of a schedule: planned percent of zones and project is sum(w share) / sum(w) over their
 * activities (docs/progress-method.md#schedules). A zone whose activities all weigh nothing by the plan's basis goes by their
 * planned hours, and without those by their number. Times of the file are of the project's wall clock.
 */
export function schedulePlan(
  schedule: Pick<Schedule, "summary" | "calendars" | "tasks">,
  zones: readonly MatchedZone[],
  timeZone: string,
): SchedulePlan {
  const { tasks, calendars, summary } = schedule;
  const clock = createWallClock(timeZone);
  const shares = createPlannedShares(tasks, calendars);
  const { basis, weights, without } = taskWeights(tasks);
  const whole = partOf(tasks.keys(), tasks, weights);
  const matches = matchZones({ format: summary.format, tasks }, zones);
  const parts = new Map<WorkZoneId, ZonePart>();
  for (const [id, indices] of matches.tasksByZone) {
    if (indices.length > 0) parts.set(id, partOf(indices, tasks, weights));
  }

  const percentOf = (part: ZonePart, atMs: number): number => {
    const sum = shares.weighted(part.weights, clock.wallMinAt(atMs), part.tasks);
    // Sums of rounded parts must not be reported as more than all of it.
    return Math.min(100, Math.max(0, (100 * sum) / part.sum));
  };

  return {
    basis: "schedule",
    weightBasis: basis,
    matches,
    startMs: clock.instantOf(summary.start_min),
    finishMs: clock.instantOf(summary.finish_min),
    plannedPercent: (atMs) => percentOf(whole, atMs),
    zonePlannedPercent(zoneId, atMs) {
      const part = parts.get(zoneId);
      return part && percentOf(part, atMs);
    },
    zoneWork: (zoneId) => parts.get(zoneId)?.work,
    warnings: openEnds(matches, zones, { basis, without }),
  };
}

function partOf(
  indices: Iterable<number>,
  tasks: readonly ScheduleTask[],
  weights: Float64Array,
): ZonePart {
  const own = Int32Array.from(indices);
  const sumOf = (amount: (task: ScheduleTask, i: number) => number): number => {
    let sum = 0;
    for (const i of own) {
      const task = tasks[i];
      if (task !== undefined) sum += amount(task, i);
    }
    return sum;
  };
  const known = (sum: number): number | undefined => (sum > 0 ? sum : undefined);
  const work: PlannedWork = {
    cost: known(sumOf((task) => task.cost ?? 0)),
    workH: known(sumOf((task) => task.work_h ?? 0)),
    // Control points say when, not how much.
    durationH: known(sumOf((task) => (task.curve === "points" ? 0 : hoursOf(task)))),
  };
  const byBasis = sumOf((_, i) => weights[i] ?? 0);
  if (byBasis > 0) return { tasks: own, weights, sum: byBasis, work };
  const byHours = sumOf(hoursOf);
  if (byHours > 0) {
    return { tasks: own, weights: Float64Array.from(tasks, hoursOf), sum: byHours, work };
  }
  return { tasks: own, weights: new Float64Array(tasks.length).fill(1), sum: own.length, work };
}

/** What the plan leaves open, in words. */
function openEnds(
  { tasksByZone, unmatched, shared }: ZoneMatches,
  zones: readonly MatchedZone[],
  { basis, without }: { readonly basis: WeightBasis; readonly without: number },
): readonly string[] {
  const warnings: string[] = [];
  const empty = zones.filter(({ id }) => tasksByZone.get(id)?.length === 0);
  if (empty.length > 0) {
    const more = empty.length > MOST_NAMED ? ", ..." : "";
    const names = empty.slice(0, MOST_NAMED).map(({ name }) => name);
    warnings.push(`no activity of the schedule is of these zones: ${names.join(", ")}${more}`);
  }
  if (unmatched.length > 0 && zones.length > 0) {
    warnings.push(`${unmatched.length} activities are of no zone; they count for the project only`);
  }
  if (shared > 0)
    warnings.push(`${shared} activities are of more than one zone, and count in each`);
  if (without > 0) {
    warnings.push(`${without} activities have no ${basis}; they weigh nothing in the project`);
  }
  return warnings;
}
