import { distanceM } from "../../geodesy.ts";
import { MINUTE_MS } from "../../time.ts";
import { lengthMs, placeOf, type RowRange, type TrackFixes } from "./track-fixes.ts";

/** A stay of an asset near one place. */
export interface TrackStop extends RowRange {
  /** Mean of its fixes, degrees, WGS 84. */
  readonly latitude: number;
  readonly longitude: number;
}

/**
 * How far a fix of a stop lies from the place, metres. Common receivers wander 5 to 15 m while they stand; a larger
 * radius takes slow work across a yard for a stop.
 */
const STOP_RADIUS_M = 25;
/** Shortest stop, ms. Shorter ones are traffic lights and turns, and hide the stops that people look for. */
const SHORTEST_STOP_MS = 3 * MINUTE_MS;
/** The fixes of this first time make the place, ms: a place that moves along would never be left at a slow pace. */
const SETTLING_MS = MINUTE_MS;
/** Longest absence that does not end a stop, ms: positions that jump away and come back are reflections. */
const LONGEST_ABSENCE_MS = MINUTE_MS;
/** Part of a failed stretch after which the search goes on: 8 visits of a row at most, and a start 12 % late. */
const SKIPPED_PART = 8;
/** Comparisons between two turns: some 3 ms. */
const COMPARISONS_A_TURN = 20_000;

/**
 * The stops within one piece of a track, ascending. Yields `undefined` where the caller may give the event loop a
 * turn. O(n).
 */
export function* stopsWithin(
  track: TrackFixes,
  { start, end }: RowRange,
): Generator<TrackStop | undefined> {
  const { timesMs } = track;
  let compared = 0;
  let row = start;
  while (row < end) {
    const { last, rows } = longestStay(track, row, end);
    if (lengthMs(timesMs, { start: row, end: last + 1 }) >= SHORTEST_STOP_MS) {
      yield meanOf(track, row, last + 1);
      row = last + 1;
    } else {
      row += Math.max(1, Math.floor(rows / SKIPPED_PART));
    }
    compared += rows;
    if (compared < COMPARISONS_A_TURN) continue;
    compared = 0;
    yield undefined;
  }
}

/** The last row of the stay that begins at `first`, and how many rows were compared. */
function longestStay(
  track: TrackFixes,
  first: number,
  end: number,
): { readonly last: number; readonly rows: number } {
  const { timesMs } = track;
  const beginMs = timesMs[first] as number;
  const place = placeOf(track, first);
  let placed = 1;
  let last = first;
  let row = first + 1;
  for (; row < end; row += 1) {
    const atMs = timesMs[row] as number;
    const fix = placeOf(track, row);
    if (distanceM(place, fix) <= STOP_RADIUS_M) {
      last = row;
      if (atMs - beginMs > SETTLING_MS) continue;
      placed += 1;
      place.latitude += (fix.latitude - place.latitude) / placed;
      place.longitude += (fix.longitude - place.longitude) / placed;
      continue;
    }
    const lastMs = timesMs[last] as number;
    const isStop = lastMs - beginMs >= SHORTEST_STOP_MS;
    if (!isStop || atMs - lastMs > LONGEST_ABSENCE_MS) break;
  }
  return { last, rows: row - first };
}

function meanOf({ latitudes, longitudes }: TrackFixes, start: number, end: number): TrackStop {
  let latitude = latitudes[start] as number;
  let longitude = longitudes[start] as number;
  for (let row = start + 1; row < end; row += 1) {
    const rows = row - start + 1;
    latitude += ((latitudes[row] as number) - latitude) / rows;
    longitude += ((longitudes[row] as number) - longitude) / rows;
  }
  return { start, end, latitude, longitude };
}
