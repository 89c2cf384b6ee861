import { between, directionDeg, type Point, spanM } from "./plane.ts";

/** What a machine can do on the road. Speeds in m/s, accelerations in m/s2, all positive. */
export interface DriveLimits {
  readonly maxSpeedMps: number;
  readonly accelerationMps2: number;
  readonly decelerationMps2: number;
}

/** Position and speed along a trip. `headingDeg` is the direction of travel, clockwise from north. */
interface TripState {
  readonly point: Point;
  readonly speedMps: number;
  readonly headingDeg: number;
}

/** A drive from standstill to standstill. */
export interface Trip {
  readonly durationS: number;
  readonly lengthM: number;
  /** The exact state `elapsedS` after the start; clamped to the trip's ends. */
  at(elapsedS: number): TripState;
}

/**
 * Comfortable sideways acceleration on a haul road, m/s2: about 0.12 g. Higher cuts through corners too fast for
 * a loaded truck.
 */
const LATERAL_MPS2 = 1.2;
/** No corner is slower than this, m/s: a walking pace. */
const MIN_CORNER_MPS = 1.5;
/**
 * Longest piece of constant acceleration, metres. Shorter follows the limits closer and takes more pieces.
 */
const NODE_SPACING_M = 5;
/** Where a rounded corner begins at the latest, metres before it: a haul truck's turn. */
const CORNER_M = 12;

interface Node {
  readonly point: Point;
  /** Arc length from the start, metres. */
  readonly atM: number;
  readonly capMps: number;
}

/**
 * Plans the fastest drive along a polyline within the limits: a forward pass bounds the speed by
 * acceleration, a backward pass by braking, corners by sideways acceleration. Between nodes the
 * acceleration is constant, so position and speed have closed forms at every instant.
 * @throws RangeError when the polyline has no length.
 */
export function planTrip(route: readonly Point[], limits: DriveLimits): Trip {
  const nodes = nodesOf(roundCorners(route), limits.maxSpeedMps);
  const lengthM = nodes.at(-1)?.atM ?? 0;
  if (!(lengthM > 0)) throw new RangeError("a trip needs two different points");
  const speeds = speedProfile(nodes, limits);
  const times = new Float64Array(nodes.length);
  for (let i = 1; i < nodes.length; i += 1) {
    const pieceM = (nodes[i]?.atM ?? 0) - (nodes[i - 1]?.atM ?? 0);
    const meanMps = ((speeds[i] ?? 0) + (speeds[i - 1] ?? 0)) / 2;
    times[i] = (times[i - 1] ?? 0) + pieceM / meanMps;
  }
  const durationS = times.at(-1) ?? 0;
  return {
    durationS,
    lengthM,
    at(elapsedS) {
      const t = Math.min(durationS, Math.max(0, elapsedS));
      const i = pieceAt(times, t);
      const [from, to] = [nodes[i], nodes[i + 1]];
      if (from === undefined || to === undefined) throw new RangeError("time outside the trip");
      const pieceM = to.atM - from.atM;
      const startMps = speeds[i] ?? 0;
      const acceleration = ((speeds[i + 1] ?? 0) ** 2 - startMps ** 2) / (2 * pieceM);
      const inPieceS = t - (times[i] ?? 0);
      const goneM = startMps * inPieceS + (acceleration * inPieceS * inPieceS) / 2;
      return {
        point: between(from.point, to.point, Math.min(1, Math.max(0, goneM / pieceM))),
        speedMps: Math.max(0, startMps + acceleration * inPieceS),
        headingDeg: directionDeg(from.point, to.point),
      };
    },
  };
}

/** Index of the piece that holds time `t`: the last one that starts at or before it. */
function pieceAt(times: Float64Array, t: number): number {
  let low = 0;
  let high = times.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((times[middle] ?? 0) <= t) low = middle;
    else high = middle - 1;
  }
  return low;
}

function speedProfile(nodes: readonly Node[], limits: DriveLimits): Float64Array {
  const speeds = Float64Array.from(nodes, (node) => node.capMps);
  speeds[0] = 0;
  speeds[nodes.length - 1] = 0;
  const pieceM = (i: number) => (nodes[i + 1]?.atM ?? 0) - (nodes[i]?.atM ?? 0);
  for (let i = 0; i + 1 < nodes.length; i += 1) {
    const reachable = Math.sqrt((speeds[i] ?? 0) ** 2 + 2 * limits.accelerationMps2 * pieceM(i));
    speeds[i + 1] = Math.min(speeds[i + 1] ?? 0, reachable);
  }
  for (let i = nodes.length - 2; i >= 0; i -= 1) {
    const stoppable = Math.sqrt(
      (speeds[i + 1] ?? 0) ** 2 + 2 * limits.decelerationMps2 * pieceM(i),
    );
    speeds[i] = Math.min(speeds[i] ?? 0, stoppable);
  }
  return speeds;
}

/** Splits a polyline into short pieces; corners carry the speed that their radius allows. */
function nodesOf(line: readonly Point[], maxSpeedMps: number): readonly Node[] {
  const nodes: Node[] = [];
  let atM = 0;
  for (const [i, corner] of line.entries()) {
    nodes.push({ point: corner, atM, capMps: Math.min(maxSpeedMps, cornerSpeedMps(line, i)) });
    const next = line[i + 1];
    if (next === undefined) continue;
    const lengthM = spanM(corner, next);
    // At least two pieces: a trip of one piece would start and end at speed 0 and never move.
    const pieces = Math.max(2, Math.ceil(lengthM / NODE_SPACING_M));
    for (let piece = 1; piece < pieces; piece += 1) {
      const share = piece / pieces;
      nodes.push({
        point: between(corner, next, share),
        atM: atM + lengthM * share,
        capMps: maxSpeedMps,
      });
    }
    atM += lengthM;
  }
  return nodes;
}

/** The speed at which the circle through a corner needs `LATERAL_MPS2`. */
function cornerSpeedMps(line: readonly Point[], i: number): number {
  const [before, corner, after] = [line[i - 1], line[i], line[i + 1]];
  if (before === undefined || corner === undefined || after === undefined) {
    return Number.POSITIVE_INFINITY;
  }
  const turnRad = turnDeg(before, corner, after) * (Math.PI / 180);
  const radiusM = Math.min(spanM(before, corner), spanM(corner, after)) / 2 / Math.tan(turnRad / 2);
  return Math.max(MIN_CORNER_MPS, Math.sqrt(LATERAL_MPS2 * radiusM));
}

/** Change of direction at a corner, 0 (straight on) to 180 (back). */
function turnDeg(before: Point, corner: Point, after: Point): number {
  const change = Math.abs(directionDeg(corner, after) - directionDeg(before, corner));
  return change > 180 ? 360 - change : change;
}

/** Replaces sharp corners by a quadratic Bezier arc; repeated points are dropped. */
function roundCorners(route: readonly Point[]): readonly Point[] {
  const line = route.filter((point, i) => {
    const previous = route[i - 1];
    return previous === undefined || spanM(previous, point) > 0.01;
  });
  return line.flatMap((corner, i) => {
    const [before, after] = [line[i - 1], line[i + 1]];
    if (before === undefined || after === undefined) return [corner];
    if (turnDeg(before, corner, after) < 5) return [corner];
    const inM = spanM(before, corner);
    const outM = spanM(corner, after);
    const cutM = Math.min(CORNER_M, inM * 0.4, outM * 0.4);
    const start = between(corner, before, cutM / inM);
    const end = between(corner, after, cutM / outM);
    return [0, 0.2, 0.4, 0.6, 0.8, 1].map((share) =>
      between(between(start, corner, share), between(corner, end, share), share),
    );
  });
}
