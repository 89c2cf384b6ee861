import type { AssetStatus } from "../../domain/equipment/asset.ts";
import type { AssetState } from "../../ingest/asset-state/asset-state.ts";
import type { AssetEntry } from "../../ingest/directories/asset-directory.ts";
import { rounded } from "../../processing/numeric/rounding.ts";

/** What the numbers of a row are based on, and how the machine is connected, as bits of its `flags`. */
const LIVE_FLAGS = {
  /** No fix was ever sent: the place is the registered one of the asset or its project. */
  registeredPlace: 1,
  /** The device says that the position is made up. */
  mocked: 2,
  /** The accuracy was not reported. */
  assumedAccuracy: 4,
  /** The speed was computed from fixes. */
  derivedSpeed: 8,
  /** The heading was computed from fixes. */
  derivedHeading: 16,
  /** The device gave no time: the fix has that of its receipt. */
  timeOfReceipt: 32,
  /** No message for the asset's time-out. */
  silent: 64,
  /** No MQTT session for a minute. */
  offline: 128,
  /** Messages, but no new position for the asset's time-out. */
  gpsStuck: 256,
  /** No message ever came. */
  neverHeard: 512,
} as const;

/**
 * One machine: `[id, lat, lng, heading, speed_kmh, accuracy_m, status, fix_ms, flags]`. Degrees, the heading clockwise
 * from true north, km/h, metres, ms since the Unix epoch; null where it is not known.
 */
export type LiveRow = readonly [
  id: string,
  latitude: number,
  longitude: number,
  heading: number | null,
  speedKmh: number | null,
  accuracyM: number | null,
  status: AssetStatus,
  fixMs: number | null,
  flags: number,
];

/** Digits behind the point: 1 cm for places and accuracy, a tenth of a degree and of a km/h. */
const PLACE_DIGITS = 7;
const ACCURACY_DIGITS = 2;
const MOTION_DIGITS = 1;

/** The row of an asset with that status. */
export function liveRow(
  { asset, project }: Pick<AssetEntry, "asset" | "project">,
  state: AssetState | undefined,
  status: AssetStatus,
): LiveRow {
  const fix = state?.fix;
  const place = fix ?? asset.location ?? project.location;
  return [
    asset.id,
    rounded(place.latitude, PLACE_DIGITS),
    rounded(place.longitude, PLACE_DIGITS),
    fix === undefined || fix.headingSource === "none" ? null : rounded(fix.heading, MOTION_DIGITS),
    fix === undefined || fix.speedSource === "none" ? null : rounded(fix.speedKmh, MOTION_DIGITS),
    fix === undefined ? null : rounded(fix.accuracyMeters, ACCURACY_DIGITS),
    status,
    fix === undefined ? null : fix.fixTimeMs,
    flagsOf(state),
  ];
}

function flagsOf(state: AssetState | undefined): number {
  const fix = state?.fix;
  const connection = state?.connection.status ?? "unknown";
  const bits: readonly (readonly [isSet: boolean, bit: number])[] = [
    [fix === undefined, LIVE_FLAGS.registeredPlace],
    [fix?.isMocked === true, LIVE_FLAGS.mocked],
    [fix?.accuracySource === "assumed", LIVE_FLAGS.assumedAccuracy],
    [fix?.speedSource === "derived", LIVE_FLAGS.derivedSpeed],
    [fix?.headingSource === "derived", LIVE_FLAGS.derivedHeading],
    [fix?.timeSource === "received", LIVE_FLAGS.timeOfReceipt],
    [connection === "silent", LIVE_FLAGS.silent],
    [connection === "offline", LIVE_FLAGS.offline],
    [connection === "gps_stuck", LIVE_FLAGS.gpsStuck],
    [connection === "unknown", LIVE_FLAGS.neverHeard],
  ];
  return bits.reduce((flags, [isSet, bit]) => (isSet ? flags + bit : flags), 0);
}
