import type { Random } from "../../randomness/random.ts";

/** Recurring stretches during which something is away: satellites, or the network. */
export interface Interruptions {
  /** Whether it is away at a time not before that of the call before. */
  isAwayAt(timeMs: number): boolean;
}

/** Gaps between stretches are exponential around `everyS` (0: never away), lengths uniform in the range. */
export function createInterruptions(
  random: Random,
  startMs: number,
  everyS: number,
  lastsS: { readonly min: number; readonly max: number },
): Interruptions {
  let fromMs = Number.POSITIVE_INFINITY;
  let toMs = Number.POSITIVE_INFINITY;
  function plan(afterMs: number): void {
    if (everyS === 0) return;
    fromMs = afterMs + random.exponential(everyS) * 1_000;
    toMs = fromMs + random.uniform(lastsS.min, lastsS.max) * 1_000;
  }
  plan(startMs);
  return {
    isAwayAt(timeMs) {
      while (timeMs >= toMs) plan(toMs);
      return timeMs >= fromMs;
    },
  };
}
