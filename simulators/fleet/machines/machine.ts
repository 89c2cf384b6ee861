import type { Activity, Motion } from "./activity.ts";
import type { Plan } from "./driver.ts";
import type { Engine, Vitals } from "./engine.ts";

/** What a machine did in one step of the world. */
export interface Tick {
  /** `[fromMs, toMs)`, ms since the Unix epoch. */
  readonly fromMs: number;
  readonly toMs: number;
  /** The activities that cover the step, in order, at least one. */
  readonly activities: readonly Activity[];
  /** Sensor values during the step. */
  readonly vitals: Vitals;
  /** The activity in force at an instant of the step. */
  activityAt(timeMs: number): Activity;
  motionAt(timeMs: number): Motion;
}

/** A machine whose truth can be read step by step; steps go forward only. */
export interface Machine {
  /** Runs on until `toMs`, one second after the step before, and returns what it did. */
  step(toMs: number): Tick;
}

/** Sets a plan in motion at `startMs`. */
export function createMachine(plan: Plan, engine: Engine, startMs: number): Machine {
  let fromMs = startMs;
  let current = plan.next().value;
  return {
    step(toMs) {
      const activities = [current];
      // An activity is followed when it ends, not before: shared bays are booked in order of time.
      while (current.endMs <= toMs) {
        current = plan.next().value;
        if (current.startMs < toMs) activities.push(current);
      }
      const tick = createTick(fromMs, toMs, activities, engine);
      fromMs = toMs;
      return tick;
    },
  };
}

function createTick(
  fromMs: number,
  toMs: number,
  activities: readonly Activity[],
  engine: Engine,
): Tick {
  const [first] = activities;
  if (first === undefined) throw new RangeError("a step without activity");
  function activityAt(timeMs: number): Activity {
    return activities.findLast((activity) => activity.startMs <= timeMs) ?? (first as Activity);
  }
  engine.step(activityAt(fromMs).engineOn, activityAt(fromMs).motionAt(fromMs).loadPercent);
  return {
    fromMs,
    toMs,
    activities,
    vitals: engine.vitals(),
    activityAt,
    motionAt: (timeMs) => activityAt(timeMs).motionAt(timeMs),
  };
}
