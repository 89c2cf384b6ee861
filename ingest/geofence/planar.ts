/** A position in degrees, WGS 84. */
export interface Position {
  readonly lonDeg: number;
  readonly latDeg: number;
}

/** Metres per degree of longitude and of latitude around one latitude: a flat map of a small place. */
export interface PlanarScale {
  readonly mPerLonDeg: number;
  readonly mPerLatDeg: number;
}

/** WGS 84 semi-major axis, metres, and first eccentricity squared. */
const SEMI_MAJOR_M = 6_378_137;
const ECCENTRICITY_2 = 6.694_379_990_14e-3;
const RAD_PER_DEG = Math.PI / 180;

/**
 * Latitudes are rounded to this for their scale, degrees: an error below 0.02 % up to 60 degrees. Coarser errs
 * more, finer keeps more scales in memory.
 */
const SCALE_STEP_DEG = 0.01;
const scales: (PlanarScale | undefined)[] = [];

/** The scale at a latitude; kept, because it is asked for with every fix. */
export function planarScale(latDeg: number): PlanarScale {
  const step = Math.round((latDeg + 90) / SCALE_STEP_DEG);
  let scale = scales[step];
  if (scale === undefined) {
    scale = exactScale(step * SCALE_STEP_DEG - 90);
    scales[step] = scale;
  }
  return scale;
}

/** By the ellipsoid's radii of curvature in the prime vertical and the meridian. */
function exactScale(latDeg: number): PlanarScale {
  const sin = Math.sin(latDeg * RAD_PER_DEG);
  const w2 = 1 - ECCENTRICITY_2 * sin * sin;
  const primeVerticalM = SEMI_MAJOR_M / Math.sqrt(w2);
  const meridianM = (primeVerticalM * (1 - ECCENTRICITY_2)) / w2;
  return {
    mPerLonDeg: primeVerticalM * Math.cos(latDeg * RAD_PER_DEG) * RAD_PER_DEG,
    mPerLatDeg: meridianM * RAD_PER_DEG,
  };
}

/** A difference of longitudes in the shorter direction, degrees in `[-180, 180]`. */
export function shortestDeltaDeg(deltaLonDeg: number): number {
  if (deltaLonDeg > 180) return deltaLonDeg - 360;
  return deltaLonDeg < -180 ? deltaLonDeg + 360 : deltaLonDeg;
}

/** Metres between two places at most some tens of kilometres apart, on a flat map. */
export function planarDistanceM(a: Position, b: Position, scale: PlanarScale): number {
  const eastM = shortestDeltaDeg(b.lonDeg - a.lonDeg) * scale.mPerLonDeg;
  const northM = (b.latDeg - a.latDeg) * scale.mPerLatDeg;
  return Math.sqrt(eastM * eastM + northM * northM);
}

/** The place at share `u` of the straight line from `a` to `b`. */
export function between(a: Position, b: Position, u: number): Position {
  const lonDeg = a.lonDeg + shortestDeltaDeg(b.lonDeg - a.lonDeg) * u;
  return {
    lonDeg: lonDeg > 180 ? lonDeg - 360 : lonDeg < -180 ? lonDeg + 360 : lonDeg,
    latDeg: a.latDeg + (b.latDeg - a.latDeg) * u,
  };
}
