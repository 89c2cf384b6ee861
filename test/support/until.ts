import { setTimeout as delay } from "node:timers/promises";

/** How often a condition is checked, ms. */
const POLL_MS = 25;

/**
 * Waits until `look` yields something other than `undefined` or `false`, which it returns; no number, of which 0 would
 * end the wait. What it throws counts as "not yet" and is reported when the deadline passes.
 */
export async function until<T extends object | string | true>(
  what: string,
  look: () => Promise<T | undefined | false> | T | undefined | false,
  deadlineMs: number,
): Promise<T> {
  const deadline = performance.now() + deadlineMs;
  let cause: unknown;
  for (;;) {
    try {
      const found = await look();
      if (found !== undefined && found !== false) return found;
      cause = undefined;
    } catch (error) {
      cause = error;
    }
    if (performance.now() >= deadline) {
      const why = cause instanceof Error ? `: ${cause.message}` : "";
      throw new Error(`not within ${deadlineMs} ms: ${what}${why}`, { cause });
    }
    await delay(POLL_MS);
  }
}
