import { HOUR_MS } from "../../domain/time.ts";

/** Names an hour. More would let anybody fill the log; fewer would hide devices of a large fleet. */
const MAX_NAMES = 1_000;

/**
 * Decides which names are worth a log line. Each once an hour, because a misconfigured device tries
 * again for ever; 1,000 of them at most, because names may be made up.
 */
export class HourlyNames {
  readonly #names = new Set<string>();
  #sinceMs = Number.NEGATIVE_INFINITY;

  /** Whether the name is new in this hour; the next call with it says no. */
  isNew(name: string, nowMs: number): boolean {
    // Also when the clock stepped back.
    if (Math.abs(nowMs - this.#sinceMs) > HOUR_MS) {
      this.#names.clear();
      this.#sinceMs = nowMs;
    }
    if (this.#names.has(name) || this.#names.size >= MAX_NAMES) return false;
    this.#names.add(name);
    return true;
  }
}
