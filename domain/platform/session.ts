import { DAY_MS, HOUR_MS } from "../time.ts";

/** How long a session outlives its last request, ms: a shift. Longer leaves shared computers open. */
export const SESSION_IDLE_MS = 12 * HOUR_MS;
/** How long a session lasts at most, ms: longer keeps a stolen cookie useful, shorter is more log-ins. */
export const SESSION_MAX_MS = 30 * DAY_MS;

/** When a session ends unless it is used before, ms since the Unix epoch. */
export function sessionEndMs(session: {
  readonly createdAtMs: number;
  readonly lastSeenAtMs: number;
}): number {
  return Math.min(session.lastSeenAtMs + SESSION_IDLE_MS, session.createdAtMs + SESSION_MAX_MS);
}
