import type { ReportZone } from "../../../domain/sites/progress-report.ts";
import { DAY_MS } from "../../../domain/time.ts";

/**
 * Captures of one day show one state of the works, ms: the same limit as the age that notes mention. A
 * smaller value would make the zones of one camera unknown to the capture of the next one.
 */
const CURRENT_MS = DAY_MS;

/**
 * What a report knows of a zone: its state `now`; its state at an earlier time, since when the work can only
 * have grown (`before`); or nothing (`never`): no capture saw it, and nobody had declared a progress above 0 by the day after.
 */
export type Knowledge = "now" | "before" | "never";

type KnownZone = Pick<ReportZone, "method" | "progress" | "as_of">;

/** What a report of a time knows of a zone. A complete zone stays known: it cannot grow. */
export function knowledgeOf(
  { method, progress, as_of }: KnownZone,
  captureDateMs: number,
): Knowledge {
  const ageMs = captureDateMs - Date.parse(as_of);
  // Who begins with the service draws the zones after the morning's flight.
  if (method === "declared" && (progress === 0 || ageMs <= -CURRENT_MS)) return "never";
  return progress === 100 || ageMs < CURRENT_MS ? "now" : "before";
}

/** The zones that a report knows something of. */
export const seenZones = <Zone extends KnownZone>(
  zones: readonly Zone[],
  captureDateMs: number,
): readonly Zone[] => zones.filter((zone) => knowledgeOf(zone, captureDateMs) !== "never");

/** Whether an earlier figure of that time is too old to bound the state of `captureDateMs` from above. */
export const isOutdated = (asOfMs: number, captureDateMs: number): boolean =>
  captureDateMs - asOfMs >= CURRENT_MS;
