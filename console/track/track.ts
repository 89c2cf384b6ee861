import type { components } from "../../client/index.ts";

type ApiTrack = components["schemas"]["Track"];
type ApiPoint = components["schemas"]["TrackPoint"];

/** A measured position; `undefined` is "not known", never 0. */
export interface TrackPoint {
  /** ms since the Unix epoch. */
  readonly ms: number;
  /** Degrees, WGS 84. */
  readonly latitude: number;
  readonly longitude: number;
  /** Number of its piece: no line joins two pieces. */
  readonly piece: number;
  /** As the device reported it. */
  readonly speedKmh: number | undefined;
  /** Degrees clockwise from true north, as reported. */
  readonly heading: number | undefined;
  readonly accuracyM: number | undefined;
  readonly isAccuracyEstimated: boolean;
  /** The clock of the device was wrong: the time is that of receipt. */
  readonly isTimeOfReceipt: boolean;
  /** From its time to its receipt, where it was received late. */
  readonly lateMs: number | undefined;
  /** It is of before the service kept that; without a `lateMs` nobody knows whether it was late. */
  readonly isLateUnknown: boolean;
}

interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

/** A time without positions, over 5 min. */
export interface TrackGap {
  readonly fromMs: number;
  readonly toMs: number;
  /** Metres of the straight line between its ends. */
  readonly distanceM: number;
}

/** A stay within 25 m of one place for 3 min or longer. */
export interface TrackStop {
  readonly fromMs: number;
  readonly toMs: number;
  readonly place: Place;
}

/** Positions that follow each other and were all received late. */
export interface LateStretch {
  readonly fromMs: number;
  readonly toMs: number;
  readonly positions: number;
  /** From its time to its receipt, of the latest. */
  readonly mostMs: number;
}

/** An entry into a fence or an exit out of it. */
export interface TrackCrossing {
  readonly ms: number;
  readonly type: "entered" | "exited";
  readonly fenceId: string;
  readonly place: Place;
  /** What else than driving began or ended the stay, as the API names it; `crossing` for driving. */
  readonly cause: string;
  /** Only a line between two positions outside crossed the fence. */
  readonly isInferred: boolean;
}

/** Where a machine was in a range of time. */
export interface Track {
  readonly id: string;
  readonly name: string;
  /** Ascending; those of a piece follow each other. */
  readonly points: readonly TrackPoint[];
  readonly gaps: readonly TrackGap[];
  readonly stops: readonly TrackStop[];
  readonly crossings: readonly TrackCrossing[];
  /** There are more crossings than these. */
  readonly lacksCrossings: boolean;
  /** Of the whole range, whether or not their points are here. */
  readonly summary: ApiTrack["summary"];
  /** Measured positions in the range. */
  readonly positions: number;
  /** Made-up positions, which are left out. */
  readonly mocked: number;
  readonly isThinned: boolean;
  /** Positions that were received late, whether or not their points are here. */
  readonly late: number;
  /** From its time to its receipt, of the latest of them. */
  readonly mostLateMs: number | undefined;
  /** Positions of which nobody knows whether they were late. */
  readonly lateUnknown: number;
  /** The longest of their stretches, ascending. */
  readonly lateStretches: readonly LateStretch[];
  /** There are more stretches than these. */
  readonly lacksStretches: boolean;
}

/** A track of the API with times in ms. `lateKnownFrom`: as in its list. */
export function trackOf(track: ApiTrack, lateKnownFrom?: string): Track {
  const knownFromMs =
    lateKnownFrom === undefined ? Number.NEGATIVE_INFINITY : Date.parse(lateKnownFrom);
  const { late } = track;
  return {
    id: track.asset_id,
    name: track.name,
    points: track.pieces.flatMap(({ points }, piece) =>
      points.map((one) => pointOf(one, piece, knownFromMs)),
    ),
    gaps: track.gaps.map(({ from, to, distance_m: distanceM }) => ({
      ...{ fromMs: Date.parse(from), toMs: Date.parse(to), distanceM },
    })),
    stops: track.stops.map(({ from, to, location: place }) => ({
      ...{ fromMs: Date.parse(from), toMs: Date.parse(to), place },
    })),
    crossings: track.crossings.map((crossing) => ({
      ms: Date.parse(crossing.timestamp),
      type: crossing.type,
      fenceId: crossing.geofence_id,
      place: crossing.location,
      cause: crossing.cause,
      isInferred: crossing.inferred,
    })),
    lacksCrossings: !track.crossings_complete,
    summary: track.summary,
    positions: track.positions,
    mocked: track.mocked,
    isThinned: track.is_thinned,
    late: late.positions,
    mostLateMs: late.most_s === null ? undefined : late.most_s * 1_000,
    lateUnknown: late.unknown,
    lateStretches: late.stretches.map(({ from, to, positions, most_s }) => ({
      ...{ fromMs: Date.parse(from), toMs: Date.parse(to), positions, mostMs: most_s * 1_000 },
    })),
    lacksStretches: !late.stretches_complete,
  };
}

function pointOf(point: ApiPoint, piece: number, knownFromMs: number): TrackPoint {
  const ms = Date.parse(point.timestamp);
  const { received_late_s: lateS } = point;
  return {
    ms,
    latitude: point.latitude,
    longitude: point.longitude,
    piece,
    speedKmh: point.speed_kmh ?? undefined,
    heading: point.heading ?? undefined,
    accuracyM: point.accuracy_meters ?? undefined,
    isAccuracyEstimated: point.flags?.includes("accuracy_from_hdop") === true,
    isTimeOfReceipt: point.flags?.includes("clock_corrected") === true,
    lateMs: lateS === undefined ? undefined : lateS * 1_000,
    isLateUnknown: lateS === undefined && ms < knownFromMs,
  };
}
