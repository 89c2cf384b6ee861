import { lateStretches } from "../../../domain/equipment/track/late-stretches.ts";
import { stopsWithin, type TrackStop } from "../../../domain/equipment/track/stops.ts";
import { thinnedRows } from "../../../domain/equipment/track/thin-track.ts";
import { trackFigures } from "../../../domain/equipment/track/track-figures.ts";
import {
  FIX_FLAGS,
  lengthMs,
  piecesOf,
  placeOf,
  type RowRange,
  type TrackFixes,
} from "../../../domain/equipment/track/track-fixes.ts";
import { distanceM } from "../../../domain/geodesy.ts";
import { isoTime } from "../../../domain/iso-time.ts";
import { roundTo, toTenth } from "../../../processing/numeric/rounding.ts";
import { MOST_STRETCHES, type Track, type TrackPoint } from "./track-schemas.ts";

/** The part of a track that follows from the positions. */
export type TrackOfFixes = Pick<
  Track,
  "positions" | "is_thinned" | "pieces" | "gaps" | "stops" | "late" | "summary"
>;

/**
 * Draws a track with at most `maxPoints` points. From `knownFromMs` on a fix that is not marked late was in time. Gives
 * the event loop turns meanwhile.
 */
export async function drawTrack(
  fixes: TrackFixes,
  maxPoints: number,
  knownFromMs: number,
): Promise<TrackOfFixes> {
  const { timesMs } = fixes;
  const pieces = piecesOf(timesMs);
  const stops = await findStops(fixes, pieces);
  const summary = summaryOf(fixes, pieces, stops);
  await turn();
  const stretches = lateStretches(fixes, pieces);
  const rows = thinnedRows(fixes, pieces, stops, stretches, maxPoints);
  return {
    positions: timesMs.length,
    is_thinned: rows.length < timesMs.length,
    pieces: piecesShown(fixes, pieces, rows),
    gaps: pieces.slice(1).map((piece, before) => {
      const last = (pieces[before] as RowRange).end - 1;
      return {
        ...span(timesMs, { start: last, end: piece.start + 1 }),
        distance_m: toTenth(distanceM(placeOf(fixes, last), placeOf(fixes, piece.start))),
      };
    }),
    stops: stops.map((stop) => ({
      ...span(timesMs, stop),
      location: { latitude: roundTo(stop.latitude, 1e7), longitude: roundTo(stop.longitude, 1e7) },
      positions: stop.end - stop.start,
    })),
    late: lateOf(fixes, stretches, knownFromMs),
    summary,
  };
}

/** Lets the event loop go round: each step over a week at 1 Hz takes up to 0.1 s. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function findStops(
  fixes: TrackFixes,
  pieces: readonly RowRange[],
): Promise<readonly TrackStop[]> {
  const stops: TrackStop[] = [];
  for (const piece of pieces) {
    for (const stop of stopsWithin(fixes, piece)) {
      if (stop === undefined) await turn();
      else stops.push(stop);
    }
  }
  return stops;
}

/** The chosen rows by the piece that they are of; a piece without any is left out. */
function piecesShown(
  fixes: TrackFixes,
  pieces: readonly RowRange[],
  rows: Uint32Array,
): Track["pieces"] {
  const shown: Track["pieces"] = [];
  let at = 0;
  for (const { end } of pieces) {
    const points: TrackPoint[] = [];
    for (; at < rows.length && (rows[at] as number) < end; at += 1) {
      points.push(pointAt(fixes, rows[at] as number));
    }
    if (points.length > 0) shown.push({ points });
  }
  return shown;
}

function pointAt(fixes: TrackFixes, row: number): TrackPoint {
  const bits = fixes.flags[row] as number;
  const flags = FIX_FLAGS.filter((_, bit) => Math.floor(bits / 2 ** bit) % 2 === 1);
  return {
    timestamp: isoTime(fixes.timesMs[row] as number),
    ...placeOf(fixes, row),
    speed_kmh: known(fixes.speedsKmh[row]),
    heading: known(fixes.headings[row]),
    accuracy_meters: known(fixes.accuraciesM[row]),
    ...(Number.isNaN(fixes.latesS[row]) ? {} : { received_late_s: fixes.latesS[row] as number }),
    ...(flags.length === 0 ? {} : { flags }),
  };
}

/** Counts of all fixes, and the longest of the stretches. */
function lateOf(
  { timesMs, latesS }: TrackFixes,
  stretches: readonly RowRange[],
  knownFromMs: number,
): Track["late"] {
  let unknown = 0;
  for (let row = 0; row < timesMs.length && (timesMs[row] as number) < knownFromMs; row += 1) {
    if (Number.isNaN(latesS[row])) unknown += 1;
  }
  const shown = stretches
    .toSorted((a, b) => lengthMs(timesMs, b) - lengthMs(timesMs, a))
    .slice(0, MOST_STRETCHES)
    .sort((a, b) => a.start - b.start);
  const mostS = ({ start, end }: RowRange): number =>
    latesS.subarray(start, end).reduce((most, late) => (late > most ? late : most), 0);
  const positions = stretches.reduce((sum, { start, end }) => sum + end - start, 0);
  return {
    positions,
    most_s: positions === 0 ? null : mostS({ start: 0, end: latesS.length }),
    unknown,
    stretches: shown.map((range) => ({
      ...span(timesMs, range),
      positions: range.end - range.start,
      most_s: mostS(range),
    })),
    stretches_complete: shown.length === stretches.length,
  };
}

function summaryOf(
  fixes: TrackFixes,
  pieces: readonly RowRange[],
  stops: readonly TrackStop[],
): Track["summary"] {
  const figures = trackFigures(fixes, pieces, stops);
  const seconds = (ms: number | null) => (ms === null ? null : ms / 1_000);
  return {
    distance_m: figures.distanceM === null ? null : toTenth(figures.distanceM),
    moving_s: seconds(figures.movingMs),
    stopped_s: seconds(figures.stoppedMs),
    unknown_s: seconds(figures.unknownMs),
    max_speed_kmh: figures.maxSpeedKmh,
  };
}

const span = (timesMs: Float64Array, range: RowRange) => ({
  from: isoTime(timesMs[range.start] as number),
  to: isoTime(timesMs[range.end - 1] as number),
  duration_s: lengthMs(timesMs, range) / 1_000,
});

const known = (value: number | undefined): number | null =>
  value === undefined || Number.isNaN(value) ? null : value;
