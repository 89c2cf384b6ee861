import { MINUTE_MS } from "../../../domain/time.ts";

/** How far ahead of our clock a device's clock may be and still be believed, ms (docs/rules.md#clocks). */
export const MAX_AHEAD_MS = 5 * MINUTE_MS;
/**
 * How far ahead of our clock a receive time may be pushed to keep it unique, ms: as far as a device's
 * own clock is believed. 300,000 readings at once, or 6,000/s for a minute.
 */
const MAX_LEAD_MS = MAX_AHEAD_MS;

/** Whether a payload's own time can be true: not in the future, not older than what is kept. */
export function isPossibleTime(timeMs: number, receivedAtMs: number, retentionMs: number): boolean {
  return timeMs <= receivedAtMs + MAX_AHEAD_MS && timeMs >= receivedAtMs - retentionMs;
}

/**
 * Receive times of one asset as fix times. They strictly increase, so that two readings without a
 * time of their own never overwrite each other. More than 1,000 a second push them ahead of our
 * clock; once the lead is used up readings share the last time, and that is counted.
 */
export class ReceiveClock {
  #lastMs: number;

  /** `lastMs`: the last time given before a restart, ms since the Unix epoch. */
  constructor(lastMs = Number.NEGATIVE_INFINITY) {
    this.#lastMs = lastMs;
  }

  /** The last time given; `-Infinity` at first. */
  get lastMs(): number {
    return this.#lastMs;
  }

  next(receivedAtMs: number): number {
    this.#lastMs = Math.max(receivedAtMs, Math.min(this.#lastMs + 1, receivedAtMs + MAX_LEAD_MS));
    return this.#lastMs;
  }
}
