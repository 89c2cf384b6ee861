import type { SitePoint } from "./place.ts";

/** A position on the WGS 84 ellipsoid; the height is above the ellipsoid. */
export interface GeodeticPosition {
  readonly latDeg: number;
  readonly lonDeg: number;
  readonly heightM: number;
}

/** WGS 84: semi-major axis (m) and first eccentricity squared (NIMA TR8350.2, table 3.1 and 3.3). */
const SEMI_MAJOR_M = 6_378_137;
const ECCENTRICITY_2 = 6.694_379_990_14e-3;
const RAD_PER_DEG = Math.PI / 180;

/** Radius of curvature across the meridian, metres. */
function primeVerticalM(sinLat: number): number {
  return SEMI_MAJOR_M / Math.sqrt(1 - ECCENTRICITY_2 * sinLat * sinLat);
}

function earthCentred({ latDeg, lonDeg, heightM }: GeodeticPosition) {
  const lat = latDeg * RAD_PER_DEG;
  const lon = lonDeg * RAD_PER_DEG;
  const radius = primeVerticalM(Math.sin(lat));
  return [
    (radius + heightM) * Math.cos(lat) * Math.cos(lon),
    (radius + heightM) * Math.cos(lat) * Math.sin(lon),
    (radius * (1 - ECCENTRICITY_2) + heightM) * Math.sin(lat),
  ] as const;
}

/** Rounds for the latitude; each gains more than two digits near the ground. */
const LATITUDE_ROUNDS = 6;

/** The position of a point given in ENU at `origin`; better than 1 um within 10 km of it. */
export function geodeticPosition(origin: GeodeticPosition, point: SitePoint): GeodeticPosition {
  const lat0 = origin.latDeg * RAD_PER_DEG;
  const lon0 = origin.lonDeg * RAD_PER_DEG;
  const [sinLat, cosLat, sinLon, cosLon] = [
    Math.sin(lat0),
    Math.cos(lat0),
    Math.sin(lon0),
    Math.cos(lon0),
  ];
  const { eastM: e, northM: n, upM: z } = point;
  const [x0, y0, z0] = earthCentred(origin);
  const x = x0 - sinLon * e - sinLat * cosLon * n + cosLat * cosLon * z;
  const y = y0 + cosLon * e - sinLat * sinLon * n + cosLat * sinLon * z;
  const axial = z0 + cosLat * n + sinLat * z;
  const equatorialM = Math.hypot(x, y);
  let lat = lat0;
  let heightM = 0;
  for (let i = 0; i < LATITUDE_ROUNDS; i += 1) {
    const radius = primeVerticalM(Math.sin(lat));
    heightM = equatorialM / Math.cos(lat) - radius;
    lat = Math.atan2(axial, equatorialM * (1 - (ECCENTRICITY_2 * radius) / (radius + heightM)));
  }
  return {
    latDeg: lat / RAD_PER_DEG,
    lonDeg: Math.atan2(y, x) / RAD_PER_DEG,
    heightM,
  };
}
