import {
  DrawnShapeError,
  isSamePlace,
  middleOf,
  requireDrawable,
  turnedDeg,
} from "../../domain/geometry/drawn-shape.ts";
import { fenceRing, RingError } from "../../domain/geometry/fence-ring.ts";
import {
  type DrawnShape,
  type LonLat,
  MIN_AREA_M2,
  type Ring,
  VERTEX_COUNT,
} from "../../domain/geometry/geofence.ts";
import { crowdingOf } from "./crowding.ts";
import { nearestOnLine } from "./distance-to-line.ts";
import { type LocalPlane, type PlanePoint, planeAround } from "./local-plane.ts";
import { circleRings, corridorRings } from "./turf-outline.ts";

/** The closed ring that represents a shape, and its geodesic area, square metres. */
interface Outline {
  readonly ring: Ring;
  readonly areaM2: number;
}

/**
 * How far the outline may lie from the true edge, metres. Smaller needs more corners, and each costs time with
 * every fix near the fence; larger comes near the error of a good receiver.
 */
const CIRCLE_TOLERANCE_M = 0.02;
const CORRIDOR_TOLERANCE_M = 0.05;
/** Of a large circle: what the most corners that a fence may have can keep. */
const CIRCLE_TOLERANCE_SHARE = 5.5e-6;
/** Of a narrow corridor. */
const CORRIDOR_TOLERANCE_SHARE = 0.1;
/** Fewest corners of a circle: its area is then 0.07 % too small. */
const MIN_CIRCLE_CORNERS = 96;
/** An edge, or a piece of the line, is halved at most this often: 2^16 pieces of 200 km are 3 m each. */
const MAX_HALVINGS = 16;
/**
 * Most crowding of a corridor. Larger lets one request hold the event loop for more than 0.1 s; at 50, ten
 * passes to and fro over one road are refused.
 */
const MAX_CROWDING = 50;
/** Moves of a corner on to the edge; in an inner corner of 10 degrees each brings it nearer by some 2 %. */
const MAX_MOVES = 40;
/** Most points of a line that is bent to follow its latitudes; a straight one over 200 km needs 150. */
const MAX_BENT_POINTS = 2_000;
/** Corners are kept to 1e-9 degrees, 0.1 mm: half of the digits of a longitude would be noise. */
const CORNER_DIGITS = 1e9;

/** A shape in the plane that its outline is made in: everything within `reachM` of `line`. */
interface PlaneShape {
  readonly plane: LocalPlane;
  readonly line: readonly PlanePoint[];
  readonly reachM: number;
  readonly toleranceM: number;
}

/**
 * The outline of a circle or corridor, counter-clockwise: a ring whose edges, straight in longitude and
 * latitude, lie within 2 cm (circles up to 3.6 km; 5.5e-6 of the radius above) or 5 cm (corridors; 10 % of
 * half the width of those below 1 m) of the true edge. Deterministic.
 * Takes 1 to 20 ms, 0.1 s at most.
 * @throws DrawnShapeError as `requireDrawable`, and where the outline is not one ring of at most 1,000 corners:
 * a corridor that encloses ground, or a shape that holds or nearly touches a pole; and for a tangled line.
 */
export function outlineOf(drawn: DrawnShape): Outline {
  requireDrawable(drawn);
  const shape = drawn.type === "circle" ? circleInPlane(drawn) : corridorInPlane(drawn);
  const rings =
    drawn.type === "circle"
      ? circleRings(shape.reachM, circleCorners(shape))
      : corridorRings(shape.line, shape.reachM, shape.toleranceM / 4);
  const [outer = [], ...holes] = rings;
  for (const hole of holes) refuseHole(hole, shape.plane);
  const corners = exactCorners(outer, shape);
  try {
    return fenceRing(corners.map(rounded));
  } catch (error) {
    if (!(error instanceof RingError)) throw error;
    const { vertex, message } = error;
    const place = vertex === undefined ? undefined : corners[vertex];
    const where = place === undefined ? "" : `near ${placeText(place)}, corner ${vertex} `;
    throw new DrawnShapeError("", `has an outline that cannot be a fence: ${where}${message}`);
  }
}

function circleInPlane({ centre, radius_m }: DrawnShape & { type: "circle" }): PlaneShape {
  return {
    plane: planeAround(centre, "aeqd"),
    line: [[0, 0]],
    reachM: radius_m,
    toleranceM: Math.max(CIRCLE_TOLERANCE_M, radius_m * CIRCLE_TOLERANCE_SHARE),
  };
}

function corridorInPlane({ line, width_m }: DrawnShape & { type: "corridor" }): PlaneShape {
  const plane = planeAround(middleOf(line), "tmerc");
  if (crowdingOf(line.map(plane.toPlane), width_m) > MAX_CROWDING) {
    throw new DrawnShapeError(
      "line",
      "turns back on itself or crosses itself too often within its width; leave out the points of stays and of repeated passes",
    );
  }
  const reachM = width_m / 2;
  const toleranceM = Math.min(CORRIDOR_TOLERANCE_M, reachM * CORRIDOR_TOLERANCE_SHARE);
  return { plane, line: bentLine(line, plane, toleranceM / 2), reachM, toleranceM };
}

/** Corners whose chords are off by 90 % of the tolerance; the rest is for the rounding of the corners. */
function circleCorners({ reachM, toleranceM }: PlaneShape): number {
  const needed = Math.ceil(Math.PI * Math.sqrt(reachM / (1.8 * toleranceM)));
  return Math.max(MIN_CIRCLE_CORNERS, needed);
}

/** The line in the plane, with points added until pieces that are straight there follow it. */
function bentLine(
  line: readonly LonLat[],
  plane: LocalPlane,
  toleranceM: number,
): readonly PlanePoint[] {
  const points = line.filter((point, i) => {
    const before = line[i - 1];
    return before === undefined || !isSamePlace(before, point);
  });
  const bent: PlanePoint[] = points.slice(0, 1).map(plane.toPlane);
  for (const [i, to] of points.entries()) {
    const from = points[i - 1];
    if (from === undefined) continue;
    bendPiece(from, to, MAX_HALVINGS);
  }
  return bent;

  function bendPiece(from: LonLat, to: LonLat, halvings: number): void {
    const middle = between(from, to, 0.5);
    const chord = [plane.toPlane(from), plane.toPlane(to)];
    const { distanceM } = nearestOnLine(chord, plane.toPlane(middle));
    if (distanceM > toleranceM && halvings > 0 && bent.length < MAX_BENT_POINTS) {
      bendPiece(from, middle, halvings - 1);
      bendPiece(middle, to, halvings - 1);
      return;
    }
    if (distanceM > toleranceM) {
      throw new DrawnShapeError(
        "line",
        `bends too much near ${placeText(middle)} for an outline: a line along a circle of latitude so close to a pole needs more points than ${MAX_BENT_POINTS}`,
      );
    }
    bent.push(plane.toPlane(to));
  }
}

/** @throws DrawnShapeError for a hole; one that is smaller than any fence is ground of the corridor. */
function refuseHole(hole: readonly PlanePoint[], plane: LocalPlane): void {
  let twiceAreaM2 = 0;
  for (const [i, [x, y]] of hole.entries()) {
    const [nextX, nextY] = hole[(i + 1) % hole.length] ?? [x, y];
    twiceAreaM2 += x * nextY - nextX * y;
  }
  const areaM2 = Math.abs(twiceAreaM2) / 2;
  const [corner] = hole;
  if (areaM2 < MIN_AREA_M2 || corner === undefined) return;
  throw new DrawnShapeError(
    "line",
    `goes round ${Math.round(areaM2)} m2 near ${placeText(plane.toPosition(corner))}, which a fence of one outline cannot leave out; make two corridors of it`,
  );
}

/**
 * The corners of the outline as positions, the closing one left out: each moved on to the true edge, and
 * edges that leave it by more than the tolerance halved, so that they hold as lines in longitude and latitude.
 */
function exactCorners(ring: readonly PlanePoint[], shape: PlaneShape): readonly LonLat[] {
  const { plane, toleranceM } = shape;
  const start = ring.slice(0, -1).map((point) => plane.toPosition(onEdge(point, shape)));
  const corners: LonLat[] = [];
  for (const [i, from] of start.entries()) {
    corners.push(from);
    addBetween(from, start[(i + 1) % start.length] ?? from, MAX_HALVINGS);
  }
  return corners;

  function addBetween(from: LonLat, to: LonLat, halvings: number): void {
    let worst = 0.5;
    let worstM = 0;
    for (const share of [0.25, 0.5, 0.75]) {
      const errorM = errorAt(between(from, to, share), shape);
      if (errorM > worstM) [worst, worstM] = [share, errorM];
    }
    if (worstM <= toleranceM) return;
    if (halvings === 0 || corners.length >= VERTEX_COUNT.max) {
      throw new DrawnShapeError(
        "",
        `needs an outline of more than ${VERTEX_COUNT.max} corners near ${placeText(from)}, because the line has too many bends for its width or lies too close to a pole; use fewer points, or several fences`,
      );
    }
    const halfway = plane.toPlane(between(from, to, worst));
    const middle = plane.toPosition(onEdge(halfway, shape));
    addBetween(from, middle, halvings - 1);
    corners.push(middle);
    addBetween(middle, to, halvings - 1);
  }
}

/** How far a position is from the edge of the shape, metres. */
function errorAt(position: LonLat, { plane, line, reachM }: PlaneShape): number {
  const { distanceM } = nearestOnLine(line, plane.toPlane(position));
  return Math.abs(distanceM - reachM);
}

/**
 * The point moved straight away from the line, or towards it, to the edge; in the inner corner of a bend in
 * turn along both sides, until it is where they meet.
 */
function onEdge(point: PlanePoint, { line, reachM, toleranceM }: PlaneShape): PlanePoint {
  let moved = point;
  for (let step = 0; step < MAX_MOVES; step += 1) {
    const { at, distanceM } = nearestOnLine(line, moved);
    const isThere = Math.abs(distanceM - reachM) <= toleranceM / 100;
    if (isThere || distanceM === 0) break;
    const share = reachM / distanceM;
    moved = [at[0] + (moved[0] - at[0]) * share, at[1] + (moved[1] - at[1]) * share];
  }
  return moved;
}

/** The position at a share of the edge between two, the short way round. */
function between(from: LonLat, to: LonLat, share: number): LonLat {
  const lonDeg = from[0] + turnedDeg(to[0] - from[0]) * share;
  return [turnedDeg(lonDeg), from[1] + (to[1] - from[1]) * share];
}

const rounded = ([lonDeg, latDeg]: LonLat): LonLat => [
  Math.round(lonDeg * CORNER_DIGITS) / CORNER_DIGITS,
  Math.round(latDeg * CORNER_DIGITS) / CORNER_DIGITS,
];

const placeText = ([lonDeg, latDeg]: LonLat): string =>
  `[${latDeg.toFixed(6)}, ${lonDeg.toFixed(6)}]`;
