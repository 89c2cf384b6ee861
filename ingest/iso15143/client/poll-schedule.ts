import { HOUR_MS, MINUTE_MS } from "../../../domain/time.ts";

/**
 * Wait after the first failure; each further one doubles it. Shorter burdens a server that is down; longer delays
 * readings after a short outage.
 */
const FIRST_WAIT_MS = MINUTE_MS;
const LONGEST_WAIT_MS = HOUR_MS;
/**
 * Largest part by which a wait is longer, so that sources of one server do not come together. Never shorter:
 * Trackunit and others answer 429 to requests for a page before their quarter of an hour is over.
 * Larger delays readings; smaller brings the sources together again.
 */
const JITTER = 0.05;

/** What is known of a poll that has ended. */
export interface EndedPoll {
  readonly startedAtMs: number;
  readonly finishedAtMs: number;
  /** Of the source, ms. */
  readonly intervalMs: number;
  /** Polls in a row that failed, this one included; 0: it did not. */
  readonly failures: number;
  /** The credentials were refused. */
  readonly isRefusal: boolean;
  /** What the server asked for, ms. */
  readonly retryAfterMs: number | undefined;
}

/**
 * When the next poll is due, ms since the Unix epoch: an interval after the start of the last. After
 * failures it is a minute, two, four, up to an hour after its end, and not before the server's own
 * `Retry-After`. Refused credentials are tried again after an hour: servers lock accounts. `random` is
 * uniform in [0, 1).
 */
export function nextPollMs(poll: EndedPoll, random: number): number {
  const { startedAtMs, finishedAtMs, intervalMs, failures, isRefusal, retryAfterMs = 0 } = poll;
  const jittered = (waitMs: number) => Math.round(waitMs * (1 + JITTER * random));
  if (failures === 0) return Math.max(finishedAtMs, startedAtMs + jittered(intervalMs));
  const backOffMs = Math.min(FIRST_WAIT_MS * 2 ** (failures - 1), LONGEST_WAIT_MS);
  const waitMs = jittered(isRefusal ? LONGEST_WAIT_MS : backOffMs);
  return finishedAtMs + Math.max(waitMs, retryAfterMs);
}
