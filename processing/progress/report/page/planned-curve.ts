import { setImmediate as nextTurn } from "node:timers/promises";
import type { Plan } from "../../schedule/plan.ts";

/** The planned percent of a project over time, as it is drawn. */
export interface PlannedCurve {
  readonly startMs: number;
  readonly finishMs: number;
  /** At the report's date. */
  readonly atReport: number;
  /** From start to finish, ascending. */
  readonly points: readonly (readonly [ms: number, percent: number])[];
}

/**
 * Times at which the plan is asked: steps of a working day show in a year. More cost time on large plans, fewer
 * round off weekends.
 */
const SAMPLES = 240;
/**
 * So many at a time: 50,000 activities take milliseconds each, and others wait for the event loop. Fewer only
 * add turns of it.
 */
const AT_ONCE = 4;

/** Asks a plan for its curve, with pauses for others. */
export async function plannedCurve(plan: Plan, reportMs: number): Promise<PlannedCurve> {
  const { startMs, finishMs } = plan;
  const points: (readonly [number, number])[] = [];
  for (let i = 0; i <= SAMPLES; i += 1) {
    if (i % AT_ONCE === 0) await nextTurn();
    const ms = startMs + ((finishMs - startMs) * i) / SAMPLES;
    points.push([ms, plan.plannedPercent(ms)]);
  }
  return { startMs, finishMs, atReport: plan.plannedPercent(reportMs), points };
}
