import type { Location } from "../../../domain/geodesy.ts";
import type { Motion } from "../machines/activity.ts";
import type { Vitals } from "../machines/engine.ts";

/** Everything one reading says, measured but not yet written. */
export interface Measurement {
  readonly seq: number;
  /** The device's clock, ms since the Unix epoch. */
  readonly deviceTimeMs: number;
  /** `undefined` without satellites. */
  readonly location: Location | undefined;
  /** `undefined`: the device does not say. */
  readonly accuracyM: number | undefined;
  readonly altitudeM: number;
  readonly speedKmh: number;
  /** Degrees clockwise from north, `[0, 360)`. */
  readonly headingDeg: number;
  readonly motion: Motion;
  readonly engineOn: boolean;
  readonly vitals: Vitals;
  readonly carriesPayload: boolean;
}
