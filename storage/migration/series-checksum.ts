import { createHash } from "node:crypto";
import type { AssetId } from "../../domain/ids.ts";
import type { Series, SeriesQuery } from "../ports/telemetry-store.ts";

/** Count and checksum of one asset's rows. */
export interface SeriesChecksum {
  readonly points: number;
  /** SHA-256 over the times and the values, bit for bit; hex. */
  readonly sha256: string;
}

/** One asset's time line, read in windows that both sides cut alike. */
export interface CheckedRange {
  readonly assetId: AssetId;
  readonly fromMs: number;
  readonly toMs: number;
  readonly windowMs: number;
}

/**
 * Reads a range and hashes it: per window the times, then name and values of each field, by name. The
 * same rows give the same checksum, whichever store they come from.
 */
export async function seriesChecksum(
  read: (query: SeriesQuery) => Promise<Series>,
  { assetId, fromMs, toMs, windowMs }: CheckedRange,
  onWindow: (points: number) => void,
): Promise<SeriesChecksum> {
  const hash = createHash("sha256");
  let points = 0;
  for (let from = fromMs; from < toMs; from += windowMs) {
    const series = await read({ assetId, fromMs: from, toMs: Math.min(from + windowMs, toMs) });
    if (series.timesMs.length > 0) {
      hash.update(bytesOf(series.timesMs));
      for (const [name, column] of [...series.columns].sort(([a], [b]) => (a < b ? -1 : 1))) {
        hash.update(JSON.stringify(name)).update(bytesOf(oneNaN(column)));
      }
    }
    points += series.timesMs.length;
    onWindow(series.timesMs.length);
  }
  return { points, sha256: hash.digest("hex") };
}

/** There are many bit patterns of NaN; which one represents an absent value means nothing. */
function oneNaN(column: Float64Array): Float64Array {
  return column.map((value) => (Number.isNaN(value) ? Number.NaN : value));
}

function bytesOf(values: Float64Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}
