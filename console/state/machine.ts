import type { components } from "../../client/index.ts";
import type { LiveRow } from "../../client/live.ts";

type Asset = components["schemas"]["Asset"];

/** Bits of a row's `flags`, as `GET /api/v1/live` describes them. */
const FLAGS = {
  registeredPlace: 1,
  mocked: 2,
  assumedAccuracy: 4,
  derivedSpeed: 8,
  derivedHeading: 16,
  timeOfReceipt: 32,
  silent: 64,
  offline: 128,
  gpsStuck: 256,
  neverHeard: 512,
} as const;

/** A machine with what is known of it now. `undefined` is "not known", never 0. */
export interface Machine {
  readonly asset: Asset;
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly status: Asset["status"];
  readonly connection: Asset["connection"]["status"];
  /** Degrees, WGS 84. */
  readonly latitude: number;
  readonly longitude: number;
  /** No position was ever sent: this is where the machine or its project was registered. */
  readonly isRegisteredPlace: boolean;
  readonly isMocked: boolean;
  /** Degrees clockwise from true north. */
  readonly heading: number | undefined;
  /** Whether it was computed from positions, which the live stream alone says. */
  readonly isHeadingDerived: boolean | undefined;
  readonly speedKmh: number | undefined;
  readonly isSpeedDerived: boolean | undefined;
  readonly accuracyM: number | undefined;
  /** Of the live stream alone; the list does not say. */
  readonly isAccuracyAssumed: boolean | undefined;
  /** Time of the newest position, ms since the Unix epoch. */
  readonly fixMs: number | undefined;
  readonly isTimeOfReceipt: boolean;
}

/** A machine of the list, as the live stream has it where it does. */
export function machineOf(asset: Asset, row: LiveRow | undefined): Machine {
  const { id, name, type } = asset;
  if (row === undefined) return { asset, id, name, type, ...listed(asset) };
  const [, latitude, longitude, heading, speedKmh, accuracyM, status, fixMs, flags] = row;
  const has = (flag: keyof typeof FLAGS) => (flags & FLAGS[flag]) !== 0;
  return {
    asset,
    id,
    name,
    type,
    status: status as Machine["status"],
    connection: connectionOf(has),
    latitude,
    longitude,
    isRegisteredPlace: has("registeredPlace"),
    isMocked: has("mocked"),
    heading: heading ?? undefined,
    isHeadingDerived: has("derivedHeading"),
    speedKmh: speedKmh ?? undefined,
    isSpeedDerived: has("derivedSpeed"),
    accuracyM: accuracyM ?? undefined,
    isAccuracyAssumed: has("assumedAccuracy"),
    fixMs: fixMs ?? undefined,
    isTimeOfReceipt: has("timeOfReceipt"),
  };
}

function connectionOf(has: (flag: keyof typeof FLAGS) => boolean): Machine["connection"] {
  if (has("neverHeard")) return "unknown";
  if (has("offline")) return "offline";
  if (has("silent")) return "silent";
  return has("gpsStuck") ? "gps_stuck" : "ok";
}

/** As the list alone has it: before the first message of the live stream, or without one. */
function listed(asset: Asset): Omit<Machine, "asset" | "id" | "name" | "type"> {
  return {
    status: asset.status,
    connection: asset.connection.status,
    latitude: asset.location.latitude,
    longitude: asset.location.longitude,
    isRegisteredPlace: asset.location_source === "registered",
    isMocked: asset.mocked === true,
    heading: asset.heading ?? undefined,
    isHeadingDerived: undefined,
    speedKmh: asset.speed_kmh ?? undefined,
    isSpeedDerived: undefined,
    accuracyM: asset.accuracy_meters ?? undefined,
    isAccuracyAssumed: undefined,
    fixMs: asset.last_fix_at === null ? undefined : Date.parse(asset.last_fix_at),
    isTimeOfReceipt: false,
  };
}
