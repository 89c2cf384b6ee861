import type { Alert } from "../api/live-messages.ts";

/** Least time between two announcements, ms: a screen reader finishes a sentence in less. */
const PAUSE_MS = 5_000;

/** What is said of new alerts. */
export interface Announcement {
  readonly alert: Alert;
  /** How many more came with it. */
  readonly more: number;
}

/**
 * New alerts that are to be said aloud, at most once in 5 s: the worst that waits, and how many more there are. Notices
 * are not said: every crossing of every machine is one.
 */
export class VoiceQueue {
  #waiting: Alert[] = [];
  #saidMs = Number.NEGATIVE_INFINITY;

  add(alert: Alert): void {
    if (alert.severity !== "info") this.#waiting.push(alert);
  }

  /** What is to be said now; nothing: too soon, or nothing waits. */
  take(nowMs: number): Announcement | undefined {
    if (nowMs - this.#saidMs < PAUSE_MS) return undefined;
    const worst = this.#waiting.find(({ severity }) => severity === "critical") ?? this.#waiting[0];
    if (worst === undefined) return undefined;
    const more = this.#waiting.length - 1;
    this.#waiting = [];
    this.#saidMs = nowMs;
    return { alert: worst, more };
  }

  /** How long until something that waits may be said, ms; `undefined`: nothing waits. */
  dueIn(nowMs: number): number | undefined {
    return this.#waiting.length === 0 ? undefined : Math.max(0, this.#saidMs + PAUSE_MS - nowMs);
  }
}
