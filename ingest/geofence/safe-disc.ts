import type { FenceEra } from "./fence-eras.ts";
import { edgeDistanceM, type FenceShape } from "./fence-shape.ts";
import type { LonLatBox } from "./lon-lat-box.ts";
import { type PlanarScale, type Position, planarScale, shortestDeltaDeg } from "./planar.ts";

/**
 * A place around which no fence of the asset's project has an edge: while the asset stays within it,
 * it neither enters nor leaves a fence. It is a circle on the flat map of its own centre, so that
 * straight edges in degrees stay straight and the answer is exact.
 */
export interface SafeDisc {
  readonly lonDeg: number;
  readonly latDeg: number;
  readonly scale: PlanarScale;
  /** Square of the radius, square metres. */
  readonly radius2: number;
  /** Any change of the asset's fences ends it. */
  readonly era: FenceEra;
}

/** Largest radius, metres: a wider search finds more fences than it saves searches. Measured in bench/geofence.ts. */
const MAX_RADIUS_M = 200;
/** Kept off the edge against rounding: relative, and metres. Chosen; double precision errs by 1e-8 m. */
const KEPT_SHARE = 0.999;
const KEPT_OFF_M = 0.05;

/** The box to search so that every edge within the largest radius is found. */
export function safeBox({ lonDeg, latDeg }: Position): LonLatBox {
  const { mPerLonDeg, mPerLatDeg } = planarScale(latDeg);
  const reachLonDeg = maxRadiusM(mPerLonDeg) / mPerLonDeg;
  const reachLatDeg = MAX_RADIUS_M / mPerLatDeg;
  return {
    minX: lonDeg - reachLonDeg,
    minY: latDeg - reachLatDeg,
    maxX: lonDeg + reachLonDeg,
    maxY: latDeg + reachLatDeg,
  };
}

/** The disc around a position; `shapes` has every fence whose box touches {@link safeBox}. */
export function safeDisc(
  position: Position,
  shapes: readonly FenceShape[],
  era: FenceEra,
): SafeDisc {
  const { lonDeg, latDeg } = position;
  const scale = planarScale(latDeg);
  let radiusM = maxRadiusM(scale.mPerLonDeg);
  for (const shape of shapes) {
    if (boxDistanceM(shape, position, scale) < radiusM) {
      radiusM = Math.min(radiusM, edgeDistanceM(shape, position, scale));
    }
  }
  const keptM = Math.max(0, radiusM * KEPT_SHARE - KEPT_OFF_M);
  return { lonDeg, latDeg, scale, radius2: keptM * keptM, era };
}

export function isWithin(disc: SafeDisc, lonDeg: number, latDeg: number): boolean {
  const eastM = shortestDeltaDeg(lonDeg - disc.lonDeg) * disc.scale.mPerLonDeg;
  const northM = (latDeg - disc.latDeg) * disc.scale.mPerLatDeg;
  return eastM * eastM + northM * northM < disc.radius2;
}

/** Beside a pole a circle of that radius would go round it. */
const maxRadiusM = (mPerLonDeg: number): number => Math.min(MAX_RADIUS_M, 90 * mPerLonDeg);

/** Metres to the box, 0 inside: no edge of the fence is nearer. */
function boxDistanceM(box: FenceShape, { lonDeg, latDeg }: Position, scale: PlanarScale): number {
  const delta = lonDeg - box.centreLonDeg;
  const x = delta > 180 ? lonDeg - 360 : delta < -180 ? lonDeg + 360 : lonDeg;
  const eastM = Math.max(box.minX - x, x - box.maxX, 0) * scale.mPerLonDeg;
  const northM = Math.max(box.minY - latDeg, latDeg - box.maxY, 0) * scale.mPerLatDeg;
  return Math.sqrt(eastM * eastM + northM * northM);
}
