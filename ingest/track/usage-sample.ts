import type { Reported, WorkSample } from "./work.ts";

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
  /** Since when it was credited; `NaN`: none was. */
  readonly workedFromMs: number;
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
