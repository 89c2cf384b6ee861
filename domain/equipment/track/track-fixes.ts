import { MINUTE_MS } from "../../time.ts";

/** Positions of one asset, ascending in time; columns of equal length. `NaN`: not reported. */
export interface TrackFixes {
  /** ms since the Unix epoch. */
  readonly timesMs: Float64Array;
  /** Degrees, WGS 84; never `NaN`. */
  readonly latitudes: Float64Array;
  readonly longitudes: Float64Array;
  readonly speedsKmh: Float64Array;
  /** Degrees clockwise from true north. */
  readonly headings: Float64Array;
  /** Metres. */
  readonly accuraciesM: Float64Array;
  /** Seconds from the fix to its receipt, of fixes that were received late; `NaN`: in time, or not known. */
  readonly latesS: Float64Array;
  /** Bits of `FIX_FLAGS`. */
  readonly flags: Uint8Array;
}

/** What is known of a fix beyond its values; bit `i` of `flags` is the name at `i`. */
export const FIX_FLAGS = [
  /** The device's clock was wrong: the time is that of receipt. */
  "clock_corrected",
  /** The accuracy is estimated from HDOP. */
  "accuracy_from_hdop",
] as const;

/** Rows `[start, end)` of a track. */
export interface RowRange {
  readonly start: number;
  readonly end: number;
}

/** From the first of the rows to the last. */
export const lengthMs = (timesMs: Float64Array, { start, end }: RowRange): number =>
  (timesMs[end - 1] as number) - (timesMs[start] as number);

/** The position in a row. */
export const placeOf = (
  { latitudes, longitudes }: Pick<TrackFixes, "latitudes" | "longitudes">,
  row: number,
) => ({
  latitude: latitudes[row] as number,
  longitude: longitudes[row] as number,
});

/**
 * Longest time between two fixes of one piece, ms.
 * Shorter cuts the tracks of devices that report every minute; longer draws lines where nobody knows the way.
 */
const LONGEST_STEP_MS = 5 * MINUTE_MS;

/** The stretches in which every fix follows the one before within `LONGEST_STEP_MS`. O(n). */
export function piecesOf(timesMs: Float64Array): readonly RowRange[] {
  const pieces: RowRange[] = [];
  let start = 0;
  for (let row = 1; row <= timesMs.length; row += 1) {
    const stepMs = (timesMs[row] as number) - (timesMs[row - 1] as number);
    if (row < timesMs.length && stepMs <= LONGEST_STEP_MS) continue;
    pieces.push({ start, end: row });
    start = row;
  }
  return pieces;
}
