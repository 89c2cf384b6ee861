import { createMinuteWindow, windowEndS } from "./minute-window.ts";

/** The requests of one caller in the current clock minute, the one just counted among them. */
export interface Count {
  readonly requests: number;
  /** When the minute ends, seconds since the Unix epoch. */
  readonly endS: number;
}

/** Counts the requests of API keys. */
export interface RequestCounter {
  /**
   * Counts one request of `caller`, who may make `limit` in a minute, and calls `done` once: at once
   * where the count is in memory. Never fails.
   */
  take(caller: string, limit: number, done: (count: Count) => void): void;
}

/** Counts in this process alone. */
export function createLocalCounter(maxCallers: number, now: () => number): RequestCounter {
  const window = createMinuteWindow(maxCallers);
  return {
    take(caller, _limit, done) {
      const nowMs = now();
      done({ requests: window.take(caller, nowMs), endS: windowEndS(nowMs) });
    },
  };
}
