import type { Ring } from "../../domain/geometry/geofence.ts";
import type { GeodeticExtent } from "../engine/raster/surface-extent.ts";

/** Metres of a degree of latitude, at least (WGS 84, at the equator). */
const DEGREE_M = 110_574;

/**
 * The extent of a ring and what lies within some metres of it.
 * @param ring less than 89 degrees from the equator
 */
export function extentAround(ring: Ring, marginM: number): GeodeticExtent {
  const lons = ring.map(([lonDeg]) => lonDeg);
  const lats = ring.map(([, latDeg]) => latDeg);
  const [southDeg, northDeg] = [Math.min(...lats), Math.max(...lats)];
  const latMarginDeg = marginM / DEGREE_M;
  const farthestRad = (Math.max(Math.abs(southDeg), Math.abs(northDeg)) * Math.PI) / 180;
  const lonMarginDeg = latMarginDeg / Math.cos(farthestRad);
  return {
    westDeg: Math.min(...lons) - lonMarginDeg,
    southDeg: southDeg - latMarginDeg,
    eastDeg: Math.max(...lons) + lonMarginDeg,
    northDeg: northDeg + latMarginDeg,
  };
}
