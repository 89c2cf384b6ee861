import type { WorkCalendar } from "../../domain/local-time.ts";
import type { AssetTrack } from "../track/asset-track.ts";
import { isOpen } from "../track/meter-ledger.ts";
import type { Observed, UsageSample } from "../track/usage-sample.ts";
import { MAX_BRIDGE_MS, movingSinceMs } from "../track/work.ts";
import { bridgeDistance } from "./distance-bridge.ts";
import { bridgeEngine } from "./engine-bridge.ts";

/**
 * Accounts for the time and the distance since the reading before: what was seen, what the machine's own
 * meters say, and what lies between two readings that are far apart. Like the fold of work it depends on
 * the sorted samples only.
 */
export function bridgeUsage(
  track: AssetTrack,
  sample: UsageSample,
  observed: Observed,
  calendar: WorkCalendar,
): void {
  bridgeDistance(track, sample, observed, calendar);
  bridgeEngine(track, sample, observed, calendar);
}

/**
 * Everything before this time is final for samples that come later, ms since the Unix epoch. No meter, no
 * silence and no movement that the fold still reaches back to is older. It never decreases.
 */
export function settledSinceMs({ work, usage }: Pick<AssetTrack, "work" | "usage">): number {
  let sinceMs = work.tMs;
  const reachBack = (atMs: number) => {
    if (atMs < sinceMs) sinceMs = atMs;
  };
  reachBack(movingSinceMs(work));
  if (work.tMs - usage.distanceToMs <= MAX_BRIDGE_MS) reachBack(usage.distanceToMs);
  reachBack(usage.engineToMs);
  for (const ledger of [usage.hours, usage.odometer, usage.trip]) {
    if (ledger !== undefined && isOpen(ledger)) reachBack(ledger.firstAtMs);
  }
  return sinceMs;
}
