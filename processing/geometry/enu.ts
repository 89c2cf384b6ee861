import { upperMedian } from "../numeric/median.ts";
import type { Vector3 } from "./rotation.ts";

/** WGS 84 (NIMA TR8350.2, table 3.1 and 3.3): semi-major axis in metres, first eccentricity squared. */
const SEMI_MAJOR_M = 6_378_137;
const ECCENTRICITY_2 = 6.694_379_990_14e-3;
const SEMI_MINOR_M = SEMI_MAJOR_M * Math.sqrt(1 - ECCENTRICITY_2);
const DEGREE = Math.PI / 180;

/** A place on WGS 84; the height is above the ellipsoid, or above whatever all heights here are above. */
export interface GeodeticPoint {
  readonly latDeg: number;
  readonly lonDeg: number;
  readonly heightM: number;
}

/** Origin of the survey's ENU frame: WGS 84; the height is whatever the images' altitudes are above. */
export interface SurveyOrigin {
  readonly latDeg: number;
  readonly lonDeg: number;
  readonly heightM: number;
}

/** A plane tangent to the ellipsoid: x east, y north, z up, metres from the origin. */
export interface EnuFrame {
  readonly origin: SurveyOrigin;
  toEnu(point: GeodeticPoint): Vector3;
  toGeodetic(enu: Vector3): GeodeticPoint;
}

/** The ENU frame at an origin, by way of earth-centred coordinates: no projection, no distortion. */
export function createEnuFrame(origin: SurveyOrigin): EnuFrame {
  const [ox, oy, oz] = ecefFromGeodetic(origin);
  const sinLat = Math.sin(origin.latDeg * DEGREE);
  const cosLat = Math.cos(origin.latDeg * DEGREE);
  const sinLon = Math.sin(origin.lonDeg * DEGREE);
  const cosLon = Math.cos(origin.lonDeg * DEGREE);
  return {
    origin,
    toEnu(point) {
      const ecef = ecefFromGeodetic(point);
      const dx = ecef[0] - ox;
      const dy = ecef[1] - oy;
      const dz = ecef[2] - oz;
      const outward = cosLon * dx + sinLon * dy;
      return [
        cosLon * dy - sinLon * dx,
        cosLat * dz - sinLat * outward,
        sinLat * dz + cosLat * outward,
      ];
    },
    toGeodetic([east, north, up]) {
      const outward = cosLat * up - sinLat * north;
      return geodeticFromEcef([
        ox + cosLon * outward - sinLon * east,
        oy + sinLon * outward + cosLon * east,
        oz + cosLat * north + sinLat * up,
      ]);
    },
  };
}

/**
 * The origin of a survey: the median of latitudes, longitudes and heights, each for itself, so that a
 * single position gone astray does not move it; `undefined` without positions. Where no image has a
 * height the origin is at height 0.
 */
export function surveyOrigin(
  positions: readonly {
    readonly latDeg: number;
    readonly lonDeg: number;
    readonly altitudeM: number | undefined;
  }[],
): SurveyOrigin | undefined {
  if (positions.length === 0) return undefined;
  return {
    latDeg: upperMedian(positions.map((position) => position.latDeg)) ?? 0,
    lonDeg: medianLongitude(positions.map((position) => position.lonDeg)),
    heightM: upperMedian(positions.flatMap(({ altitudeM }) => altitudeM ?? [])) ?? 0,
  };
}

/** Taken about the first one, so that a survey across the antimeridian stays in one piece. */
function medianLongitude(lonDeg: readonly number[]): number {
  const first = lonDeg[0] ?? 0;
  const lon = first + (upperMedian(lonDeg.map((value) => wrapDeg(value - first))) ?? 0);
  return wrapDeg(lon);
}

/** The same direction between -180 (inclusive) and 180 degrees. */
function wrapDeg(deg: number): number {
  return deg - 360 * Math.floor((deg + 180) / 360);
}

function ecefFromGeodetic({ latDeg, lonDeg, heightM }: GeodeticPoint): Vector3 {
  const sinLat = Math.sin(latDeg * DEGREE);
  const cosLat = Math.cos(latDeg * DEGREE);
  const primeVertical = SEMI_MAJOR_M / Math.sqrt(1 - ECCENTRICITY_2 * sinLat * sinLat);
  return [
    (primeVertical + heightM) * cosLat * Math.cos(lonDeg * DEGREE),
    (primeVertical + heightM) * cosLat * Math.sin(lonDeg * DEGREE),
    (primeVertical * (1 - ECCENTRICITY_2) + heightM) * sinLat,
  ];
}

/**
 * Bowring's formula (B. R. Bowring, Survey Review 23 (181), 1976, 323-327) twice: the first round is
 * good to 1e-8 rad a few km above ground, the second to the last digit.
 */
function geodeticFromEcef([x, y, z]: Vector3): GeodeticPoint {
  const p = Math.hypot(x, y);
  const secondEccentricity2 = ECCENTRICITY_2 / (1 - ECCENTRICITY_2);
  let reduced = Math.atan2(z * SEMI_MAJOR_M, p * SEMI_MINOR_M);
  let lat = 0;
  for (let round = 0; round < 2; round += 1) {
    lat = Math.atan2(
      z + secondEccentricity2 * SEMI_MINOR_M * Math.sin(reduced) ** 3,
      p - ECCENTRICITY_2 * SEMI_MAJOR_M * Math.cos(reduced) ** 3,
    );
    reduced = Math.atan2(SEMI_MINOR_M * Math.sin(lat), SEMI_MAJOR_M * Math.cos(lat));
  }
  const sinLat = Math.sin(lat);
  const primeVertical = SEMI_MAJOR_M / Math.sqrt(1 - ECCENTRICITY_2 * sinLat * sinLat);
  // Along the normal, and free of the division by cos(lat) that fails at the poles.
  const heightM = p * Math.cos(lat) + z * sinLat - (SEMI_MAJOR_M * SEMI_MAJOR_M) / primeVertical;
  return { latDeg: lat / DEGREE, lonDeg: Math.atan2(y, x) / DEGREE, heightM };
}
