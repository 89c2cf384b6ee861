import type { Tick } from "../machines/machine.ts";
import { edgeDistanceM, isInside, type Point } from "../site/plane.ts";

/** One stay of a machine inside a fence. Times in ms since the Unix epoch, to 0.1 s. */
export interface Visit {
  readonly fenceId: string;
  /** `undefined`: it was inside when the run began. */
  readonly enteredMs: number | undefined;
  /** `undefined`: it was still inside when the run ended. */
  readonly exitedMs: number | undefined;
}

/** Watches one machine's true track against the fences of its site. */
export interface CrossingWatch {
  watch(tick: Tick): void;
  /** Every visit so far, oldest first; the last ones may be open. */
  visits(): readonly Visit[];
  readonly crossingCount: number;
}

/** Step of the search, ms; a corner cut off in less than this is not seen (1.3 m at 13 m/s). */
const STEP_MS = 100;
/** Crossing times are bisected to this, ms, then rounded to 0.1 s. */
const BISECT_MS = 2;

interface FenceState {
  readonly id: string;
  readonly ring: readonly Point[];
  inside: boolean;
  enteredMs: number | undefined;
  /** The machine must move at least this far before it can cross, metres. */
  slackM: number;
}

/**
 * Finds enter and exit times on the continuous track. A fence is only checked again once the
 * machine has moved as far as its edge was away; this changes nothing but the time it takes.
 * With `keepVisits` false closed visits are counted and forgotten (runs without end).
 */
export function createCrossingWatch(
  fences: readonly { readonly id: string; readonly ring: readonly Point[] }[],
  start: Point,
  keepVisits: boolean,
): CrossingWatch {
  const closed: Visit[] = [];
  let crossingCount = 0;
  const states: FenceState[] = fences.map(({ id, ring }) => ({
    id,
    ring,
    inside: isInside(start, ring),
    enteredMs: undefined,
    slackM: edgeDistanceM(start, ring),
  }));

  function search(state: FenceState, tick: Tick): void {
    let beforeMs = tick.fromMs;
    while (beforeMs < tick.toMs) {
      const afterMs = Math.min(tick.toMs, beforeMs + STEP_MS);
      if (isInside(tick.motionAt(afterMs).point, state.ring) !== state.inside) {
        cross(state, bisect(state, tick, beforeMs, afterMs));
      }
      beforeMs = afterMs;
    }
  }

  function bisect(state: FenceState, tick: Tick, beforeMs: number, afterMs: number): number {
    let [low, high] = [beforeMs, afterMs];
    while (high - low > BISECT_MS) {
      const middle = (low + high) / 2;
      if (isInside(tick.motionAt(middle).point, state.ring) === state.inside) low = middle;
      else high = middle;
    }
    return Math.round(high / 100) * 100;
  }

  function cross(state: FenceState, atMs: number): void {
    crossingCount += 1;
    if (state.inside && keepVisits) {
      closed.push({ fenceId: state.id, enteredMs: state.enteredMs, exitedMs: atMs });
    }
    state.inside = !state.inside;
    state.enteredMs = state.inside ? atMs : undefined;
  }

  return {
    get crossingCount() {
      return crossingCount;
    },
    watch(tick) {
      const reachM = reachInTickM(tick);
      if (reachM === 0) return;
      for (const state of states) {
        state.slackM -= reachM;
        if (state.slackM > 0) continue;
        search(state, tick);
        state.slackM = edgeDistanceM(tick.motionAt(tick.toMs).point, state.ring);
      }
    },
    visits: () => [
      ...closed,
      ...states
        .filter((state) => state.inside)
        .map(({ id, enteredMs }) => ({ fenceId: id, enteredMs, exitedMs: undefined })),
    ],
  };
}

/** No acceleration of any machine exceeds this, m/s2 (specs.ts has at most 1.8). */
const MAX_ACCELERATION_MPS2 = 2;

/** Upper bound of the distance a machine can have gone within the step, metres. */
function reachInTickM(tick: Tick): number {
  if (tick.activities.every((activity) => !activity.moving)) return 0;
  const seconds = (tick.toMs - tick.fromMs) / 1_000;
  const fastest = Math.max(tick.motionAt(tick.fromMs).speedMps, tick.motionAt(tick.toMs).speedMps);
  return (fastest + MAX_ACCELERATION_MPS2 * seconds) * seconds;
}
