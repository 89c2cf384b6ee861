import { turnedDeg } from "../../domain/geometry/drawn-shape.ts";
import type { LonLat } from "../../domain/geometry/geofence.ts";
import { proj4 } from "../coordinates/proj4.ts";

/** Metres east and north of the origin of a plane. */
export type PlanePoint = readonly [eastM: number, northM: number];

/** A map of the surroundings of one place, metres on the WGS 84 ellipsoid. */
export interface LocalPlane {
  toPlane(position: LonLat): PlanePoint;
  /** Longitude within [-180, 180]. */
  toPosition(point: PlanePoint): LonLat;
}

/**
 * - `aeqd`, azimuthal equidistant: distances from the origin are true at any distance.
 * - `tmerc`, transverse Mercator: all short distances are true, to 0.012 % at 100 km east or west.
 */
export function planeAround([lonDeg, latDeg]: LonLat, projection: "aeqd" | "tmerc"): LocalPlane {
  const converter = proj4(
    `+proj=${projection} +lat_0=${latDeg} +lon_0=${lonDeg} +ellps=WGS84 +units=m +no_defs`,
  );
  return {
    toPlane([pointLonDeg, pointLatDeg]) {
      const [eastM, northM] = converter.forward([pointLonDeg, pointLatDeg]);
      return [eastM, northM];
    },
    toPosition([eastM, northM]) {
      const [pointLonDeg, pointLatDeg] = converter.inverse([eastM, northM]);
      return [turnedDeg(pointLonDeg), pointLatDeg];
    },
  };
}
