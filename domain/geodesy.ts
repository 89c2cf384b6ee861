import { type Static, Type } from "typebox";

/** A position on the WGS 84 ellipsoid, degrees. */
export const Location = Type.Object(
  {
    latitude: Type.Number({ minimum: -90, maximum: 90, description: "Degrees north, WGS 84" }),
    longitude: Type.Number({ minimum: -180, maximum: 180, description: "Degrees east, WGS 84" }),
  },
  { title: "Location" },
);
export type Location = Static<typeof Location>;

/** Mean Earth radius of the IUGG (R1), metres; a sphere is within 0.56 % of the ellipsoid. */
const EARTH_RADIUS_M = 6_371_008.8;
const RAD_PER_DEG = Math.PI / 180;

/** Great-circle distance in metres by the haversine formula; exact for small distances too. */
export function distanceM(a: Location, b: Location): number {
  const dLatRad = (b.latitude - a.latitude) * RAD_PER_DEG;
  const dLonRad = (b.longitude - a.longitude) * RAD_PER_DEG;
  const h =
    Math.sin(dLatRad / 2) ** 2 +
    Math.cos(a.latitude * RAD_PER_DEG) *
      Math.cos(b.latitude * RAD_PER_DEG) *
      Math.sin(dLonRad / 2) ** 2;
  return 2 * EARTH_RADIUS_M * Math.asin(Math.min(1, Math.sqrt(h)));
}

/** Initial bearing from `a` to `b`, degrees clockwise from true north, `[0, 360)`. */
export function bearingDeg(a: Location, b: Location): number {
  const latA = a.latitude * RAD_PER_DEG;
  const latB = b.latitude * RAD_PER_DEG;
  const dLonRad = (b.longitude - a.longitude) * RAD_PER_DEG;
  const y = Math.sin(dLonRad) * Math.cos(latB);
  const x = Math.cos(latA) * Math.sin(latB) - Math.sin(latA) * Math.cos(latB) * Math.cos(dLonRad);
  return (Math.atan2(y, x) / RAD_PER_DEG + 360) % 360;
}

/** The position `eastM`, `northM` metres from `origin`, on the local tangent plane (below 100 km). */
export function offsetLocation(origin: Location, eastM: number, northM: number): Location {
  const latitude = origin.latitude + northM / EARTH_RADIUS_M / RAD_PER_DEG;
  const scale = Math.cos(origin.latitude * RAD_PER_DEG);
  const longitude = origin.longitude + eastM / (EARTH_RADIUS_M * scale) / RAD_PER_DEG;
  return { latitude, longitude: ((longitude + 540) % 360) - 180 };
}
