import type { LonLat } from "../../../domain/geometry/geofence.ts";
import type { GeofenceId } from "../../../domain/ids.ts";
import type { GeofenceVersion } from "../../../storage/ports/equipment/geofences.ts";
import { rectangle } from "./site.ts";

/**
 * Positions on a lattice of 2^-20 degrees (about 10 cm): whole numbers, so that the oracle below is exact,
 * and exact as degrees in double precision too.
 */
export const UNITS_PER_DEG = 2 ** 20;
const TURN = 360 * UNITS_PER_DEG;

export type LatticePoint = readonly [x: number, y: number];

export const toDegrees = ([x, y]: LatticePoint): LonLat => {
  const turned = x > TURN / 2 ? x - TURN : x < -TURN / 2 ? x + TURN : x;
  return [turned / UNITS_PER_DEG, y / UNITS_PER_DEG];
};

/** A fence with its corners on the lattice; longitudes run on over the antimeridian. */
export interface LatticeFence {
  readonly id: string;
  /** The open ring. */
  readonly corners: readonly LatticePoint[];
  readonly version: GeofenceVersion;
}

export function latticeFence(id: string, corners: readonly LatticePoint[]): LatticeFence {
  const [first] = corners;
  const ring = [...corners, ...(first === undefined ? [] : [first])].map(toDegrees);
  const version = { ...rectangle(id, [0, 0, 1, 1]), geofenceId: id as GeofenceId, ring };
  return { id, corners, version };
}

/** Whether fences hold points, by winding numbers in whole numbers; the edge is inside. */
export function createOracle(fences: readonly LatticeFence[]) {
  const rings = fences.map(({ corners }) => {
    const [first] = corners;
    const closed = [...corners, ...(first === undefined ? [] : [first])];
    const xs = Float64Array.from(closed, ([x]) => x);
    const ys = Float64Array.from(closed, ([, y]) => y);
    return { xs, ys, minY: Math.min(...ys), maxY: Math.max(...ys) };
  });
  return (point: LatticePoint, index: number): boolean => {
    const ring = rings[index];
    if (ring === undefined) throw new RangeError(`no fence ${index}`);
    const [x, y] = beside(point, ring.xs[0] ?? 0);
    if (y < ring.minY || y > ring.maxY) return false;
    let winding = 0;
    for (let i = 1; i < ring.xs.length; i++) {
      const ax = (ring.xs[i - 1] ?? 0) - x;
      const ay = (ring.ys[i - 1] ?? 0) - y;
      const bx = (ring.xs[i] ?? 0) - x;
      const by = (ring.ys[i] ?? 0) - y;
      const isAcross = (ay <= 0 && by >= 0) || (ay >= 0 && by <= 0);
      if (!isAcross) continue;
      // Exact: differences of fences this small stay below 2^26, so the products are below 2^53.
      const turn = ax * by - bx * ay;
      const isBesides = (ax > 0 && bx > 0) || (ax < 0 && bx < 0);
      if (turn === 0 && !isBesides) return true;
      if (ay <= 0 && by > 0 && turn > 0) winding += 1;
      if (ay > 0 && by <= 0 && turn < 0) winding -= 1;
    }
    return winding !== 0;
  };
}

/** The same point counted in the turn that is nearest to `x0`. */
function beside([x, y]: LatticePoint, x0: number): LatticePoint {
  return [x + TURN * Math.round((x0 - x) / TURN), y];
}
