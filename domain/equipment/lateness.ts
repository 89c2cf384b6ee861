import { MINUTE_MS, SECOND_MS } from "../time.ts";

/**
 * A position is late if it was received more than this after its own time, ms. Usual ones need a second or two, and
 * clocks of devices are off by seconds: a shorter time would mark those, a longer one would hide short silences.
 */
const LATE_AFTER_MS = MINUTE_MS;

/** The same for people and the API, seconds. */
export const LATE_AFTER_S = LATE_AFTER_MS / SECOND_MS;

/**
 * Under this name the row of a late position has the seconds from its time to its first receipt. No other row has it,
 * so a usual one costs nothing, and no device can send it.
 */
export const LATE_FIELD = "received_late_s";

/** Seconds by which what was measured at `fixTimeMs` was received late; `undefined`: it was not late. */
export function lateSeconds(fixTimeMs: number, receivedAtMs: number): number | undefined {
  const lateMs = receivedAtMs - fixTimeMs;
  return lateMs > LATE_AFTER_MS ? lateMs / SECOND_MS : undefined;
}
