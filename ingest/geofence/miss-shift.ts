import { type FenceShape, holds, lonBeside } from "./fence-shape.ts";
import { type Position, shortestDeltaDeg } from "./planar.ts";

/**
 * How far a road may bend away from the straight line between two fixes in a row, as a share of the
 * line's length, m. Longer lines have more, for they have room for a curve. Smaller shares infer
 * visits of corners that a road goes round, larger ones miss fences that were crossed; the curve of
 * both is in bench/geofence-inference.ts.
 */
export const roadBend = (lengthM: number): number =>
  Math.min(MOST_BEND, Math.max(LEAST_BEND, lengthM / BEND_SCALE_M));
const LEAST_BEND = 0.1;
const MOST_BEND = 0.2;
/** Length over which the share grows by one, metres. */
const BEND_SCALE_M = 1_000;

/**
 * Directions in which a shift is tried, in parts of a turn from the path's own: every 22.5 degrees, which
 * overrates the least shift by at most 2 %. Sideways comes first: most paths that miss a fence cut a
 * corner.
 */
const DIRECTIONS = [4, 12, 0, 8, 2, 6, 10, 14, 1, 3, 5, 7, 9, 11, 13, 15].map((k) => k / 16);
/** A bend as a parabola through these places: share of the leg, share of the bend's height. */
const BEND_KNOTS = [
  [0.25, 0.75],
  [0.5, 1],
  [0.75, 0.75],
] as const;
/** Bends that are tried, in parts of the share: a fence may be missed by half a bend and not by a whole one. */
const BENDS = [1, -1, 0, 0.5, -0.5] as const;
/** Gaps between touches that are shorter are rounding, metres: far below any accuracy. */
const TOUCHING_M = 1e-6;

interface MissShiftOptions {
  /** Share of a leg's length by which it may bend, by its length in metres. */
  readonly bendOf?: (lengthM: number) => number;
  /** Shifts from here on are not distinguished, metres; a smaller answer need not be the least. */
  readonly enoughM?: number;
}

/**
 * The least shift in metres, along or sideways, by which the path over `knots` misses the fence. Legs
 * are straight, or bent to either side by up to `bendOf` their length. 0 when one of these paths misses
 * it as it is. Linear in the fence's corners.
 */
export function missShiftM(
  shape: FenceShape,
  knots: readonly Position[],
  { bendOf = roadBend, enoughM = Number.POSITIVE_INFINITY }: MissShiftOptions = {},
): number {
  const [first] = knots;
  if (first === undefined) return 0;
  const straight = knots.map((knot) => spotFrom(shape, first, knot));
  const last = straight.at(-1) ?? [0, 0];
  const headingRad = Math.atan2(last[1], last[0]);
  const edges = edgesNear(shape, first, straight, enoughM + highestBendM(straight, bendOf));
  let leastM = enoughM;
  for (const part of BENDS) {
    const path = bentPath(straight, part, bendOf);
    for (const turn of DIRECTIONS) {
      const angleRad = headingRad + 2 * Math.PI * turn;
      leastM = Math.min(leastM, shiftM(shape, first, edges, path, angleRad, enoughM));
      if (leastM < enoughM && Number.isFinite(enoughM)) return leastM;
    }
  }
  return leastM;
}

/** Metres east and north of the first knot, on the flat map of the fence. */
type Spot = readonly [eastM: number, northM: number];

/** How far the path reaches beside its legs at most, metres. */
function highestBendM(straight: readonly Spot[], bendOf: (lengthM: number) => number): number {
  return straight.reduce((highestM, [x, y], i) => {
    const [fromX, fromY] = straight[i - 1] ?? [x, y];
    const lengthM = Math.hypot(x - fromX, y - fromY);
    return Math.max(highestM, lengthM * bendOf(lengthM));
  }, 0);
}

/** Every leg bent to the same side, its left by a positive share. */
function bentPath(
  straight: readonly Spot[],
  part: number,
  bendOf: (lengthM: number) => number,
): readonly Spot[] {
  if (part === 0) return straight;
  return straight.flatMap((to, i): readonly Spot[] => {
    const from = straight[i - 1];
    if (from === undefined) return [to];
    const [x, y] = [to[0] - from[0], to[1] - from[1]];
    const bend = part * bendOf(Math.hypot(x, y));
    const between = BEND_KNOTS.map(([share, height]): Spot => {
      const aside = bend * height;
      return [from[0] + share * x - aside * y, from[1] + share * y + aside * x];
    });
    return [...between, to];
  });
}

/** The least shift in one direction by which the path misses the fence, metres. */
function shiftM(
  shape: FenceShape,
  first: Position,
  edges: readonly Edge[],
  path: readonly Spot[],
  angleRad: number,
  enoughM: number,
): number {
  const [dx, dy] = [Math.cos(angleRad), Math.sin(angleRad)];
  const legs = path.map((spot) => turned(spot, dx, dy));
  const touches: Touch[] = [];
  for (const [from, to] of edges) {
    const [edgeStart, edgeEnd] = [turned(from, dx, dy), turned(to, dx, dy)];
    for (const [j, legEnd] of legs.entries()) {
      const legStart = legs[j - 1];
      const touch = legStart && touchOf(edgeStart, edgeEnd, legStart, legEnd);
      if (touch !== undefined && touch.toM >= 0) touches.push(touch);
    }
  }
  // Farther edges are left out: up to there the fence may hold all of the path.
  if (Number.isFinite(enoughM)) touches.push({ fromM: enoughM, toM: enoughM });
  touches.sort((a, b) => a.fromM - b.fromM);
  let freeM = 0;
  for (const { fromM, toM } of touches) {
    // In a gap the path touches no edge: it misses the fence, unless all of it lies inside.
    const gapM = (freeM + fromM) / 2;
    const isGap = fromM > freeM + TOUCHING_M;
    if (isGap && !holds(shape, placeFrom(shape, first, [gapM * dx, gapM * dy]))) break;
    freeM = Math.max(freeM, toM);
  }
  return freeM;
}

/** Metres along and across a direction. */
interface Turned {
  readonly u: number;
  readonly v: number;
}

const turned = ([x, y]: Spot, dx: number, dy: number): Turned => ({
  u: x * dx + y * dy,
  v: y * dx - x * dy,
});

/** Shifts along the direction at which a leg and an edge touch, metres. */
interface Touch {
  readonly fromM: number;
  readonly toM: number;
}

function touchOf(e: Turned, f: Turned, p: Turned, q: Turned): Touch | undefined {
  const low = Math.max(Math.min(e.v, f.v), Math.min(p.v, q.v));
  const high = Math.min(Math.max(e.v, f.v), Math.max(p.v, q.v));
  if (low > high) return undefined;
  // Edge and leg are straight between low and high, so both extremes lie at one of them.
  return {
    fromM: Math.min(leastU(e, f, low) - mostU(p, q, low), leastU(e, f, high) - mostU(p, q, high)),
    toM: Math.max(mostU(e, f, low) - leastU(p, q, low), mostU(e, f, high) - leastU(p, q, high)),
  };
}

const leastU = (a: Turned, b: Turned, v: number): number =>
  a.v === b.v ? Math.min(a.u, b.u) : a.u + ((b.u - a.u) * (v - a.v)) / (b.v - a.v);
const mostU = (a: Turned, b: Turned, v: number): number =>
  a.v === b.v ? Math.max(a.u, b.u) : a.u + ((b.u - a.u) * (v - a.v)) / (b.v - a.v);

function spotFrom(shape: FenceShape, from: Position, to: Position): Spot {
  const { mPerLonDeg, mPerLatDeg } = shape.scale;
  return [
    shortestDeltaDeg(to.lonDeg - from.lonDeg) * mPerLonDeg,
    (to.latDeg - from.latDeg) * mPerLatDeg,
  ];
}

function placeFrom(shape: FenceShape, from: Position, [eastM, northM]: Spot): Position {
  const { mPerLonDeg, mPerLatDeg } = shape.scale;
  return { lonDeg: from.lonDeg + eastM / mPerLonDeg, latDeg: from.latDeg + northM / mPerLatDeg };
}

type Edge = readonly [from: Spot, to: Spot];

/** The edges of the fence that paths within `reachM` of these spots may touch. */
function edgesNear(
  shape: FenceShape,
  { lonDeg, latDeg }: Position,
  spots: readonly Spot[],
  reachM: number,
): readonly Edge[] {
  const { mPerLonDeg, mPerLatDeg } = shape.scale;
  const xs = spots.map(([x]) => x);
  const ys = spots.map(([, y]) => y);
  const [west, east] = [Math.min(...xs) - reachM, Math.max(...xs) + reachM];
  const [south, north] = [Math.min(...ys) - reachM, Math.max(...ys) + reachM];
  const { cornersDeg } = shape;
  const x0 = lonBeside(shape, lonDeg);
  const edges: Edge[] = [];
  let [ax, ay] = [0, 0];
  for (let i = 0; i < cornersDeg.length; i += 2) {
    const bx = ((cornersDeg[i] ?? 0) - x0) * mPerLonDeg;
    const by = ((cornersDeg[i + 1] ?? 0) - latDeg) * mPerLatDeg;
    const isNear =
      Math.max(ax, bx) >= west &&
      Math.min(ax, bx) <= east &&
      Math.max(ay, by) >= south &&
      Math.min(ay, by) <= north;
    if (i > 0 && isNear) {
      edges.push([
        [ax, ay],
        [bx, by],
      ]);
    }
    [ax, ay] = [bx, by];
  }
  return edges;
}
