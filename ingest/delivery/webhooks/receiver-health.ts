/** Requests to one receiver at a time. */
const MAX_IN_FLIGHT = 8;
/** Failures in a row after which a receiver counts as down. Chosen: all that were in flight together. */
const DOWN_AFTER = MAX_IN_FLIGHT;
/** Least time between two requests to a receiver that is down, ms. Chosen: 10 a second cost nothing. */
const PROBE_EVERY_MS = 100;

/**
 * How fast one receiver may be sent to. Up: eight requests in flight. Down, after eight failures in a
 * row: one at a time and ten a second, until one succeeds. A refused connection fails so quickly that
 * a dead receiver of a thousand events a second would otherwise keep a whole core busy. A receiver
 * that sends `Retry-After` is left alone until then.
 */
export interface ReceiverHealth {
  /** How long it has been down, ms by the server clock; 0 while it is up. */
  readonly downForMs: number;
  /** Whether another request may start now. */
  mayStart(inFlight: number): boolean;
  /** When it is worth asking again, ms from now; `undefined`: when a request ends. */
  readonly pauseMs: number | undefined;
  started(): void;
  succeeded(): void;
  failed(retryAfterMs: number | undefined): void;
}

/** `now` is the server clock, `elapsed` one that only goes forward; both ms. */
export function createReceiverHealth(now: () => number, elapsed: () => number): ReceiverHealth {
  let failuresInRow = 0;
  let lastStartMs = Number.NEGATIVE_INFINITY;
  let downSinceMs = 0;
  let restUntilMs = 0;
  const isDown = () => failuresInRow >= DOWN_AFTER;
  const pauseMs = () => (isDown() ? lastStartMs + PROBE_EVERY_MS - elapsed() : 0);
  return {
    get downForMs() {
      return isDown() ? now() - downSinceMs : 0;
    },
    mayStart(inFlight) {
      if (inFlight >= (isDown() ? 1 : MAX_IN_FLIGHT)) return false;
      return now() >= restUntilMs && pauseMs() <= 0;
    },
    get pauseMs() {
      const left = pauseMs();
      return left > 0 ? left : undefined;
    },
    started() {
      lastStartMs = elapsed();
    },
    succeeded() {
      failuresInRow = 0;
      restUntilMs = 0;
    },
    failed(retryAfterMs) {
      failuresInRow += 1;
      if (failuresInRow === DOWN_AFTER) downSinceMs = now();
      if (retryAfterMs !== undefined) restUntilMs = now() + retryAfterMs;
    },
  };
}
