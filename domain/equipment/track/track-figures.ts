import { distanceM } from "../../geodesy.ts";
import type { TrackStop } from "./stops.ts";
import { lengthMs, placeOf, type RowRange, type TrackFixes } from "./track-fixes.ts";

/** What a track sums up to; `null` where nothing is known. */
export interface TrackFigures {
  /** Sum of the steps between fixes, outside stops and gaps. */
  readonly distanceM: number | null;
  readonly movingMs: number | null;
  readonly stoppedMs: number | null;
  /** Between pieces. */
  readonly unknownMs: number | null;
  /** Highest reported speed. */
  readonly maxSpeedKmh: number | null;
}

/** Sums up a whole track, before it is thinned. `stops` ascend and lie within `pieces`. O(n). */
export function trackFigures(
  track: TrackFixes,
  pieces: readonly RowRange[],
  stops: readonly TrackStop[],
): TrackFigures {
  const { timesMs } = track;
  if (timesMs.length === 0) {
    const unknown = { distanceM: null, movingMs: null, stoppedMs: null };
    return { ...unknown, unknownMs: null, maxSpeedKmh: null };
  }
  const seenMs = sumOf(pieces, (piece) => lengthMs(timesMs, piece));
  const stoppedMs = sumOf(stops, (stop) => lengthMs(timesMs, stop));
  const whole = lengthMs(timesMs, { start: 0, end: timesMs.length });
  return {
    distanceM: timesMs.length < 2 ? null : wayOf(track, pieces, stops),
    movingMs: seenMs - stoppedMs,
    stoppedMs,
    unknownMs: whole - seenMs,
    maxSpeedKmh: highest(track.speedsKmh),
  };
}

const sumOf = <T>(rows: readonly T[], value: (row: T) => number): number =>
  rows.reduce((sum, row) => sum + value(row), 0);

function wayOf(
  track: TrackFixes,
  pieces: readonly RowRange[],
  stops: readonly TrackStop[],
): number {
  let way = 0;
  let stop = 0;
  for (const { start, end } of pieces) {
    for (let row = start + 1; row < end; row += 1) {
      while (stop < stops.length && (stops[stop]?.end ?? 0) <= row) stop += 1;
      // Within a stop the steps are noise of the receiver.
      if ((stops[stop]?.start ?? Number.POSITIVE_INFINITY) < row) continue;
      way += distanceM(placeOf(track, row - 1), placeOf(track, row));
    }
  }
  return way;
}

function highest(column: Float64Array): number | null {
  let found: number | null = null;
  for (const value of column) if (value > (found ?? Number.NEGATIVE_INFINITY)) found = value;
  return found;
}
