import { LATE_FIELD } from "../../../domain/equipment/lateness.ts";
import { MOCKED_FIELD } from "../../../domain/equipment/mocked-position.ts";
import { FIX_FLAGS, type TrackFixes } from "../../../domain/equipment/track/track-fixes.ts";
import type { AssetId } from "../../../domain/ids.ts";
import { DAY_MS } from "../../../domain/time.ts";
import { METERS_PER_HDOP } from "../../../ingest/geofence/accuracy.ts";
import type { Series, TelemetryStore } from "../../../storage/ports/telemetry-store.ts";

const FIELDS = [
  ...["latitude", "longitude", "speed_kmh", "heading", "accuracy_meters", "hdop"],
  ...[MOCKED_FIELD, "device_time_ms", LATE_FIELD],
] as const;
const [CLOCK_CORRECTED, FROM_HDOP] = FIX_FLAGS.map((_, bit) => 2 ** bit) as [number, number];

/** What is read of one asset. */
export interface ReadFixes {
  readonly fixes: TrackFixes;
  /** Positions that are made up, and left out. */
  readonly mocked: number;
}

/** A stretch `[fromMs, toMs)` of time, ms since the Unix epoch. */
export interface TimeSpan {
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * The measured positions of an asset within `spans`, which ascend, read day by day. `undefined`: there are
 * more than `most`.
 * @throws DomainError `STORE_UNAVAILABLE`.
 */
export async function readFixes(
  telemetry: Pick<TelemetryStore, "read">,
  assetId: AssetId,
  spans: readonly TimeSpan[],
  most: number,
): Promise<ReadFixes | undefined> {
  const parts: ReadFixes[] = [];
  let rows = 0;
  for (const day of spans.flatMap(daysOf)) {
    const part = fixesOf(await telemetry.read({ assetId, ...day, fields: FIELDS }));
    rows += part.fixes.timesMs.length;
    if (rows > most) return undefined;
    parts.push(part);
  }
  return {
    fixes: {
      timesMs: joined(parts, "timesMs", rows),
      latitudes: joined(parts, "latitudes", rows),
      longitudes: joined(parts, "longitudes", rows),
      speedsKmh: joined(parts, "speedsKmh", rows),
      headings: joined(parts, "headings", rows),
      accuraciesM: joined(parts, "accuraciesM", rows),
      latesS: joined(parts, "latesS", rows),
      flags: Uint8Array.from(parts.flatMap(({ fixes }) => [...fixes.flags])),
    },
    mocked: parts.reduce((sum, { mocked }) => sum + mocked, 0),
  };
}

function daysOf({ fromMs, toMs }: TimeSpan): readonly TimeSpan[] {
  const days: TimeSpan[] = [];
  for (let atMs = fromMs; atMs < toMs; atMs += DAY_MS) {
    days.push({ fromMs: atMs, toMs: Math.min(toMs, atMs + DAY_MS) });
  }
  return days;
}

function fixesOf(series: Series): ReadFixes {
  const none = new Float64Array(series.timesMs.length).fill(Number.NaN);
  const column = (name: (typeof FIELDS)[number]): Float64Array => series.columns.get(name) ?? none;
  const [latitudes, longitudes, mocks] = [
    column("latitude"),
    column("longitude"),
    column(MOCKED_FIELD),
  ];
  const [accuracies, hdops, deviceTimes] = [
    column("accuracy_meters"),
    column("hdop"),
    column("device_time_ms"),
  ];
  const rows: number[] = [];
  let mocked = 0;
  for (let row = 0; row < series.timesMs.length; row += 1) {
    if (Number.isNaN(latitudes[row]) || Number.isNaN(longitudes[row])) continue;
    if (mocks[row] === 1) mocked += 1;
    else rows.push(row);
  }
  const pick = (values: Float64Array) => Float64Array.from(rows, (row) => values[row] as number);
  const isFromHdop = (row: number): boolean =>
    Number.isNaN(accuracies[row]) && (hdops[row] as number) > 0;
  return {
    fixes: {
      timesMs: pick(series.timesMs),
      latitudes: pick(latitudes),
      longitudes: pick(longitudes),
      speedsKmh: pick(column("speed_kmh")),
      headings: pick(column("heading")),
      accuraciesM: Float64Array.from(rows, (row) =>
        isFromHdop(row) ? METERS_PER_HDOP * (hdops[row] as number) : (accuracies[row] as number),
      ),
      latesS: pick(column(LATE_FIELD)),
      flags: Uint8Array.from(
        rows,
        (row) =>
          (Number.isNaN(deviceTimes[row]) ? 0 : CLOCK_CORRECTED) +
          (isFromHdop(row) ? FROM_HDOP : 0),
      ),
    },
    mocked,
  };
}

type NumberColumn = Exclude<keyof TrackFixes, "flags">;

function joined(parts: readonly ReadFixes[], name: NumberColumn, rows: number): Float64Array {
  const whole = new Float64Array(rows);
  let at = 0;
  for (const { fixes } of parts) {
    whole.set(fixes[name], at);
    at += fixes[name].length;
  }
  return whole;
}
