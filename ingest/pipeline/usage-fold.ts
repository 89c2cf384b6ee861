import type { WorkCalendar } from "../../domain/local-time.ts";
import type { AssetTrack } from "./asset-track.ts";
import { MAX_BRIDGE_MS } from "./bridged-time.ts";
import { bridgeDistance } from "./distance-bridge.ts";
import { bridgeEngine } from "./engine-bridge.ts";
import { isOpen } from "./meter-ledger.ts";
import { movingSinceMs, type Reported, type WorkSample } from "./work.ts";

/** What one reading says of work, and of the machine's own meters; `NaN` where it says nothing. */
export interface UsageSample extends WorkSample {
  readonly engineHours: number;
  readonly odometerKm: number;
  readonly tripKm: number;
}

/** What the fold of work credited for a sample. */
export interface Observed {
  /** What was known at the place up to which engine time is accounted for. */
  readonly before: Reported;
  /** Working time and distance that were credited. */
  readonly workedMs: number;
  readonly travelledM: number;
  /** The newest position before; `NaN` for none. */
  readonly position: {
    readonly latitude: number;
    readonly longitude: number;
    readonly accuracyM: number;
    readonly atMs: number;
  };
  /** Age of the place that movement was measured from, ms; `Infinity` for none. */
  readonly anchorAgeMs: number;
}

/**
 * Accounts for the time and the way since the reading before: what was seen, what the machine's own meters
 * say, and what lies between two readings that are far apart. Like the fold of work it depends on the
 * sorted samples only.
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
 * Everything before this time is final for samples that come later, ms since the Unix epoch: no meter, no
 * silence and no movement that the fold still looks back at is older. It never decreases.
 */
export function settledSinceMs({ work, usage }: Pick<AssetTrack, "work" | "usage">): number {
  let sinceMs = work.tMs;
  const lookBack = (atMs: number) => {
    if (atMs < sinceMs) sinceMs = atMs;
  };
  lookBack(movingSinceMs(work));
  if (work.tMs - usage.distanceToMs <= MAX_BRIDGE_MS) lookBack(usage.distanceToMs);
  lookBack(usage.engineToMs);
  for (const ledger of [usage.hours, usage.odometer, usage.trip]) {
    if (ledger !== undefined && isOpen(ledger)) lookBack(ledger.firstAtMs);
  }
  return sinceMs;
}
