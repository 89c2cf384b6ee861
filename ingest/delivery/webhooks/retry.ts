import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../domain/time.ts";
import { MAX_RETRY_AFTER_MS } from "../../../outbound/retry-after.ts";

/** Waits behind the first attempt, the second, ...; ten attempts in all (docs/rules.md#webhooks-and-streams). */
const WAITS_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];
/**
 * Part by which a wait is longer or shorter, so that what failed together does not return together. Less brings
 * them back together; more makes the waits hard to foretell.
 */
const JITTER = 0.1;

/** Time from the first attempt to the last, with the longest waits, ms: about 83 h. */
export const RETRY_SPAN_MS = (1 + JITTER) * WAITS_MS.reduce((sum, wait) => sum + wait, 0);

/**
 * How long to wait after `attempts` failed ones, ms; `undefined` when that was the last.
 * `askedMs` is the receiver's `Retry-After`; `random` is uniform in [0, 1).
 */
export function retryWaitMs(
  attempts: number,
  askedMs: number | undefined,
  random: number,
): number | undefined {
  const wait = WAITS_MS[attempts - 1];
  if (wait === undefined) return undefined;
  const jittered = Math.round(wait * (1 + JITTER * (2 * random - 1)));
  return Math.max(jittered, Math.min(askedMs ?? 0, MAX_RETRY_AFTER_MS));
}
