import pointInPolygon from "point-in-polygon-hao";
import type { LonLat, Ring } from "../../domain/geometry/geofence.ts";
import type { GeofenceVersion } from "../../storage/ports/equipment/geofences.ts";
import type { LonLatBox } from "./lon-lat-box.ts";
import { type PlanarScale, type Position, planarScale } from "./planar.ts";

/** A fence version made ready for geometry; longitudes run on past 180 instead of jumping to -180. */
export interface FenceShape extends LonLatBox {
  readonly version: GeofenceVersion;
  /** The ring as point-in-polygon-hao takes it. */
  readonly contours: number[][][];
  /** The ring's corners, closing one included: longitude, latitude, longitude, ... in degrees. */
  readonly cornersDeg: Float64Array;
  readonly centreLonDeg: number;
  /** Whether it touches the antimeridian: only then may a longitude inside it be a turn away. */
  readonly wraps: boolean;
  /** Flat map at the centre of the box. */
  readonly scale: PlanarScale;
}

/** Prepares a version; linear in its corners, done once. */
export function fenceShape(version: GeofenceVersion): FenceShape {
  const ring = unwrap(version.ring);
  const cornersDeg = new Float64Array(ring.length * 2);
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [i, [lonDeg, latDeg]] of ring.entries()) {
    cornersDeg[2 * i] = lonDeg;
    cornersDeg[2 * i + 1] = latDeg;
    minX = Math.min(minX, lonDeg);
    maxX = Math.max(maxX, lonDeg);
    minY = Math.min(minY, latDeg);
    maxY = Math.max(maxY, latDeg);
  }
  return {
    version,
    // The library only reads; a copy of every ring would double the memory of 100,000 fences.
    contours: [ring as unknown as number[][]],
    cornersDeg,
    centreLonDeg: (minX + maxX) / 2,
    wraps: maxX >= 180 || minX <= -180,
    scale: planarScale((minY + maxY) / 2),
    ...{ minX, minY, maxX, maxY },
  };
}

/** The longitude as the shape counts it, which may be 360 degrees from the one given. */
export function lonBeside(shape: FenceShape, lonDeg: number): number {
  const delta = lonDeg - shape.centreLonDeg;
  if (delta > 180) return lonDeg - 360;
  return delta < -180 ? lonDeg + 360 : lonDeg;
}

/** Whether the fence holds the position; exact, and the edge itself is inside. */
export function holds(shape: FenceShape, { lonDeg, latDeg }: Position): boolean {
  const x = shape.wraps ? lonBeside(shape, lonDeg) : lonDeg;
  // The box is not read: its four numbers lie elsewhere in memory, and the corners say as much.
  const side = plainSide(shape.cornersDeg, x, latDeg);
  // 0 means the edge.
  return side ?? pointInPolygon([x, latDeg], shape.contours) !== false;
}

/** Relative rounding error of the orientation below: (3 + 16 e) e, e = 2^-53 (Shewchuk 1997, section 4.3). */
const ORIENTATION_ERROR = (3 + 16 * 2 ** -53) * 2 ** -53;

/**
 * Counts the edges east of the position in plain double precision; `undefined` where rounding might
 * decide. The exact library reads 60 small arrays all over the memory for the same answer, which is
 * 2 to 4 times slower with many fences (bench/geofence.ts).
 */
function plainSide(corners: Float64Array, x: number, y: number): boolean | undefined {
  let isInside = false;
  let ax = (corners[0] ?? 0) - x;
  let ay = (corners[1] ?? 0) - y;
  for (let i = 2; i < corners.length; i += 2) {
    const bx = (corners[i] ?? 0) - x;
    const by = (corners[i + 1] ?? 0) - y;
    if (ay >= 0 !== by >= 0 || ay === 0 || by === 0) {
      const left = ax * by;
      const right = bx * ay;
      const orientation = left - right;
      const error = ORIENTATION_ERROR * (Math.abs(left) + Math.abs(right));
      if (orientation <= error && orientation >= -error) return undefined;
      if (ay >= 0 !== by >= 0 && orientation > 0 === by > ay) isInside = !isInside;
    }
    ax = bx;
    ay = by;
  }
  return isInside;
}

/** Metres to the edge, positive inside, negative outside, on the flat map at the fence's centre. */
export function signedDistanceM(shape: FenceShape, position: Position): number {
  const distanceM = edgeDistanceM(shape, position, shape.scale);
  return holds(shape, position) ? distanceM : -distanceM;
}

/** Metres to the nearest point of the edge on a flat map of the given scale. */
export function edgeDistanceM(
  shape: FenceShape,
  { lonDeg, latDeg }: Position,
  { mPerLonDeg, mPerLatDeg }: PlanarScale,
): number {
  const corners = shape.cornersDeg;
  const x = lonBeside(shape, lonDeg);
  let best = Infinity;
  let ax = ((corners[0] ?? 0) - x) * mPerLonDeg;
  let ay = ((corners[1] ?? 0) - latDeg) * mPerLatDeg;
  for (let i = 2; i < corners.length; i += 2) {
    const bx = ((corners[i] ?? 0) - x) * mPerLonDeg;
    const by = ((corners[i + 1] ?? 0) - latDeg) * mPerLatDeg;
    const dx = bx - ax;
    const dy = by - ay;
    const length2 = dx * dx + dy * dy;
    const share = length2 > 0 ? -(ax * dx + ay * dy) / length2 : 0;
    const u = share < 0 ? 0 : share > 1 ? 1 : share;
    const px = ax + u * dx;
    const py = ay + u * dy;
    const d2 = px * px + py * py;
    if (d2 < best) best = d2;
    ax = bx;
    ay = by;
  }
  return Math.sqrt(best);
}

/** Whether two versions bound the same ground. */
export function isSameGround(a: GeofenceVersion, b: GeofenceVersion): boolean {
  if (a.projectId !== b.projectId || a.ring.length !== b.ring.length) return false;
  return a.ring.every(
    ([lonDeg, latDeg], i) => lonDeg === b.ring[i]?.[0] && latDeg === b.ring[i]?.[1],
  );
}

/** The ring without jumps at the antimeridian: whole turns are added, so that corners stay exact. */
function unwrap(ring: Ring): Ring {
  let previousDeg = ring[0]?.[0] ?? 0;
  let westmostDeg = previousDeg;
  let jumps = false;
  const straight = ring.map(([lonDeg, latDeg]): LonLat => {
    const turns = Math.round((previousDeg - lonDeg) / 360);
    if (turns !== 0) jumps = true;
    previousDeg = lonDeg + turns * 360;
    westmostDeg = Math.min(westmostDeg, previousDeg);
    return [previousDeg, latDeg];
  });
  if (!jumps) return ring;
  const shiftDeg = westmostDeg < -180 ? 360 : 0;
  return straight.map(([lonDeg, latDeg]): LonLat => [lonDeg + shiftDeg, latDeg]);
}
