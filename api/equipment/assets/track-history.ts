import { largestTriangleThreeBuckets } from "../../../domain/equipment/downsample.ts";
import type { AssetId } from "../../../domain/ids.ts";
import { HOUR_MS } from "../../../domain/time.ts";
import type { TelemetryStore } from "../../../storage/ports/telemetry-store.ts";
import type { Track } from "./track.ts";

/**
 * The positions of `(nowMs - hours, nowMs]`, one per fix time, never thinned unless `maxPoints` asks
 * for it.
 * @throws DomainError `STORE_UNAVAILABLE`.
 */
export async function readTrack(
  telemetry: Pick<TelemetryStore, "read">,
  assetId: AssetId,
  nowMs: number,
  hours: number,
  maxPoints: number | undefined,
): Promise<Track> {
  // The store's interval is half-open at the end, the contract's at the start; times are whole ms.
  const series = await telemetry.read({
    assetId,
    fromMs: nowMs - hours * HOUR_MS + 1,
    toMs: nowMs + 1,
    fields: ["latitude", "longitude"],
  });
  const none = new Float64Array(0);
  const track = positionsOnly({
    timesMs: series.timesMs,
    latitudes: series.columns.get("latitude") ?? none,
    longitudes: series.columns.get("longitude") ?? none,
  });
  return maxPoints === undefined ? track : thinned(track, maxPoints);
}

/**
 * At most `maxPoints` positions that keep the shape of the path: half of them chosen by latitude over time,
 * half by longitude.
 */
function thinned(track: Track, maxPoints: number): Track {
  if (track.timesMs.length <= maxPoints) return track;
  const share = Math.floor(maxPoints / 2);
  const byLatitude = largestTriangleThreeBuckets(track.timesMs, track.latitudes, share);
  const byLongitude = largestTriangleThreeBuckets(track.timesMs, track.longitudes, share);
  const rows = new Set([...byLatitude, ...byLongitude]);
  return rowsOf(track, Uint32Array.from(rows).sort());
}

/** Leaves out rows without a position. */
function positionsOnly(track: Track): Track {
  const { timesMs, latitudes } = track;
  // A reading has both coordinates or none, so one column is enough; nearly always every row has them.
  if (latitudes.length === timesMs.length && !latitudes.some(Number.isNaN)) return track;
  const rows: number[] = [];
  for (let row = 0; row < latitudes.length; row += 1) {
    if (!Number.isNaN(latitudes[row])) rows.push(row);
  }
  return rowsOf(track, rows);
}

function rowsOf({ timesMs, latitudes, longitudes }: Track, rows: ArrayLike<number>): Track {
  const pick = (column: Float64Array) =>
    Float64Array.from(rows, (row) => column[row] ?? Number.NaN);
  return { timesMs: pick(timesMs), latitudes: pick(latitudes), longitudes: pick(longitudes) };
}
