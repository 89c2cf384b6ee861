import { largestTriangleThreeBuckets } from "../downsample.ts";
import type { TrackStop } from "./stops.ts";
import { lengthMs, type RowRange, type TrackFixes } from "./track-fixes.ts";

/** Columns whose shape is kept, and whose lowest and highest values always are. */
const SHAPES = ["latitudes", "longitudes", "speedsKmh"] as const;

/**
 * At most `maxRows` rows that show the same track: the extremes of each column, the ends of stops and of pieces, those
 * of `late` stretches in up to half of the rows, and of the rest what keeps the shape. Where all the ends do not fit in,
 * those of the longest do.
 * Ascending; all rows of a track that is short enough. O(n).
 * @param maxRows 10 or more
 */
export function thinnedRows(
  track: TrackFixes,
  pieces: readonly RowRange[],
  stops: readonly TrackStop[],
  late: readonly RowRange[],
  maxRows: number,
): Uint32Array {
  const { timesMs } = track;
  if (timesMs.length <= maxRows) return Uint32Array.from(timesMs.keys());
  const kept = new Set<number>([0, timesMs.length - 1]);
  for (const name of SHAPES) for (const row of extremesOf(track[name])) kept.add(row);
  const keepEnds = (ranges: readonly RowRange[], most: number): void => {
    for (const { start, end } of longestFirst(timesMs, ranges)) {
      if (kept.size > most - 2) break;
      kept.add(start);
      kept.add(end - 1);
    }
  };
  keepEnds(stops, maxRows);
  keepEnds(pieces, maxRows);
  keepEnds(late, maxRows / 2);
  const share = Math.floor((maxRows - kept.size) / SHAPES.length);
  // Two rows are the ends, which are kept anyway.
  if (share > 2) {
    for (const name of SHAPES) {
      for (const row of largestTriangleThreeBuckets(timesMs, track[name], share)) kept.add(row);
    }
  }
  return Uint32Array.from(kept).sort();
}

function extremesOf(column: Float64Array): readonly number[] {
  let [lowest, highest] = [-1, -1];
  for (let row = 0; row < column.length; row += 1) {
    const value = column[row] as number;
    if (Number.isNaN(value)) continue;
    if (lowest < 0 || value < (column[lowest] as number)) lowest = row;
    if (highest < 0 || value > (column[highest] as number)) highest = row;
  }
  return lowest < 0 ? [] : [lowest, highest];
}

function longestFirst(timesMs: Float64Array, ranges: readonly RowRange[]): readonly RowRange[] {
  return ranges.toSorted((a, b) => lengthMs(timesMs, b) - lengthMs(timesMs, a));
}
