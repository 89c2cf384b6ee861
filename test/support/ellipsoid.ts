import type { LonLat } from "../../domain/geometry/geofence.ts";

const SEMI_MAJOR_M = 6_378_137;
const FLATTENING = 1 / 298.257223563;
const SEMI_MINOR_M = SEMI_MAJOR_M * (1 - FLATTENING);
const RAD = Math.PI / 180;

/**
 * The place `distanceM` from another in a direction, on the WGS 84 ellipsoid to 0.5 mm: Vincenty, Survey
 * Review 23 (1975), direct formula. Longitude within [-180, 180].
 */
export function placeAt([lonDeg, latDeg]: LonLat, bearingRad: number, distanceM: number): LonLat {
  const tanU1 = (1 - FLATTENING) * Math.tan(latDeg * RAD);
  const cosU1 = 1 / Math.hypot(1, tanU1);
  const sinU1 = tanU1 * cosU1;
  const [sinA1, cosA1] = [Math.sin(bearingRad), Math.cos(bearingRad)];
  const sigma1 = Math.atan2(tanU1, cosA1);
  const sinAlpha = cosU1 * sinA1;
  const cos2Alpha = 1 - sinAlpha ** 2;
  const u2 = (cos2Alpha * (SEMI_MAJOR_M ** 2 - SEMI_MINOR_M ** 2)) / SEMI_MINOR_M ** 2;
  const a = 1 + (u2 / 16384) * (4096 + u2 * (-768 + u2 * (320 - 175 * u2)));
  const b = (u2 / 1024) * (256 + u2 * (-128 + u2 * (74 - 47 * u2)));
  const start = distanceM / (SEMI_MINOR_M * a);
  let sigma = start;
  let cos2m = 0;
  for (let i = 0; i < 10; i += 1) {
    cos2m = Math.cos(2 * sigma1 + sigma);
    const [sin, cos] = [Math.sin(sigma), Math.cos(sigma)];
    const inner = (b / 6) * cos2m * (-3 + 4 * sin ** 2) * (-3 + 4 * cos2m ** 2);
    sigma = start + b * sin * (cos2m + (b / 4) * (cos * (-1 + 2 * cos2m ** 2) - inner));
  }
  const [sin, cos] = [Math.sin(sigma), Math.cos(sigma)];
  const x = sinU1 * sin - cosU1 * cos * cosA1;
  const lat = Math.atan2(
    sinU1 * cos + cosU1 * sin * cosA1,
    (1 - FLATTENING) * Math.hypot(sinAlpha, x),
  );
  const lambda = Math.atan2(sin * sinA1, cosU1 * cos - sinU1 * sin * cosA1);
  const c = (FLATTENING / 16) * cos2Alpha * (4 + FLATTENING * (4 - 3 * cos2Alpha));
  const turn = cos2m + c * cos * (-1 + 2 * cos2m ** 2);
  const lon = lambda - (1 - c) * FLATTENING * sinAlpha * (sigma + c * sin * turn);
  const turned = lonDeg + lon / RAD;
  return [turned > 180 ? turned - 360 : turned < -180 ? turned + 360 : turned, lat / RAD];
}
