import { HOUR_MS, SECOND_MS } from "../domain/time.ts";

/**
 * Longest wait that a receiver may ask for, ms. More would let one answer stop a delivery for days; less
 * ignores a server's wish.
 */
export const MAX_RETRY_AFTER_MS = HOUR_MS;

/** `Retry-After` (RFC 9110 section 10.2.3: seconds, or a date) as ms from `nowMs`, at most an hour. */
export function readRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * SECOND_MS : Date.parse(header) - nowMs;
  return ms > 0 ? Math.min(ms, MAX_RETRY_AFTER_MS) : undefined;
}
