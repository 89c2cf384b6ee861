/** Counts of one kind of caller in the current clock minute (fixed windows, docs/rules.md#keys-and-requests). */
export interface MinuteWindow {
  /** Counts one request of `caller` and returns how many it has made in this minute, 1 or more. */
  take(caller: string, nowMs: number): number;
  /** What `take` returned last for this caller in this minute; 0 for none. */
  used(caller: string, nowMs: number): number;
}

const WINDOW_MS = 60_000;

/** End of the window that holds `nowMs`, seconds since the Unix epoch. */
export function windowEndS(nowMs: number): number {
  return (Math.floor(nowMs / WINDOW_MS) + 1) * 60;
}

/**
 * Holds at most `maxCallers` counts and forgets all of them at the end of the minute; further callers
 * share one count, so that a flood of addresses cannot grow memory.
 */
export function createMinuteWindow(maxCallers: number): MinuteWindow {
  const counts = new Map<string, number>();
  let window = 0;
  let crowd = 0;

  function turn(nowMs: number): void {
    const current = Math.floor(nowMs / WINDOW_MS);
    if (current === window) return;
    window = current;
    crowd = 0;
    counts.clear();
  }

  return {
    take(caller, nowMs) {
      turn(nowMs);
      const count = counts.get(caller);
      if (count === undefined && counts.size >= maxCallers) {
        crowd += 1;
        return crowd;
      }
      counts.set(caller, (count ?? 0) + 1);
      return (count ?? 0) + 1;
    },
    used(caller, nowMs) {
      turn(nowMs);
      return counts.get(caller) ?? (counts.size >= maxCallers ? crowd : 0);
    },
  };
}
