import type { AssetId } from "../../domain/ids.ts";
import type { TelemetryPoint } from "../../storage/ports/telemetry-store.ts";

/**
 * Times of one asset that lie further apart are read back in separate ranges, ms. Longer reads rows back for
 * nothing; shorter needs more reads.
 */
const RANGE_GAP_MS = 600_000;

/** The points of each asset and time, in the order in which they came. */
export function byAssetAndTime(
  points: readonly TelemetryPoint[],
): ReadonlyMap<AssetId, ReadonlyMap<number, readonly TelemetryPoint[]>> {
  const found = new Map<AssetId, Map<number, TelemetryPoint[]>>();
  for (const point of points) {
    const byTime = found.get(point.assetId) ?? new Map<number, TelemetryPoint[]>();
    found.set(point.assetId, byTime);
    const ofTime = byTime.get(point.fixTimeMs);
    if (ofTime === undefined) byTime.set(point.fixTimeMs, [point]);
    else ofTime.push(point);
  }
  return found;
}

/** Rising times in groups whose members follow each other closely, to be read back at once. */
export function timeRanges(times: Iterable<number>): readonly (readonly number[])[] {
  const groups: number[][] = [];
  for (const time of [...times].sort((a, b) => a - b)) {
    const group = groups.at(-1);
    if (group !== undefined && time - (group.at(-1) ?? time) <= RANGE_GAP_MS) group.push(time);
    else groups.push([time]);
  }
  return groups;
}
