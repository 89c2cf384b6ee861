import { DomainError } from "../../../domain/errors.ts";
import { distanceM } from "../../../domain/geodesy.ts";
import type { Ring } from "../../../domain/geometry/geofence.ts";
import type { GeodeticExtent } from "../../../processing/engine/raster/surface-extent.ts";
import type { TinSurface } from "../../../processing/progress/landxml/tin-file.ts";

/**
 * Refuses a surface that lies elsewhere: wrong system, or northing and easting exchanged. A zone without
 * an outline may get one later.
 * @throws DomainError `SURFACE_INVALID` saying how far it is.
 */
export function requireNear(extent: GeodeticExtent, polygon: Ring | undefined): void {
  if (polygon === undefined) return;
  const zone = extentOf(polygon);
  const [zoneLonDeg, lonDeg] = nearest(zone.westDeg, zone.eastDeg, extent.westDeg, extent.eastDeg);
  const [zoneLatDeg, latDeg] = nearest(
    zone.southDeg,
    zone.northDeg,
    extent.southDeg,
    extent.northDeg,
  );
  if (zoneLonDeg === lonDeg && zoneLatDeg === latDeg) return;
  const gapM = distanceM(
    { latitude: zoneLatDeg, longitude: zoneLonDeg },
    { latitude: latDeg, longitude: lonDeg },
  );
  throw new DomainError(
    "SURFACE_INVALID",
    `The surface lies ${Math.ceil(gapM)} m from the zone, at latitude ${latDeg.toFixed(5)} and ` +
      `longitude ${lonDeg.toFixed(5)}: check its coordinate system, and the order of northing and easting`,
  );
}

/** Where the vertices of a surface lie. */
export function tinExtent({ lonDeg, latDeg }: TinSurface): GeodeticExtent {
  const [westDeg, eastDeg] = rangeOf(lonDeg);
  const [southDeg, northDeg] = rangeOf(latDeg);
  return { westDeg, eastDeg, southDeg, northDeg };
}

function extentOf(ring: Ring): GeodeticExtent {
  const [westDeg, eastDeg] = rangeOf(ring.map(([lonDeg]) => lonDeg));
  const [southDeg, northDeg] = rangeOf(ring.map(([, latDeg]) => latDeg));
  return { westDeg, eastDeg, southDeg, northDeg };
}

function rangeOf(values: Iterable<number>): readonly [min: number, max: number] {
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    min = Math.min(min, value);
    max = Math.max(max, value);
  }
  return [min, max];
}

/** The nearest values of two ranges; the same value where they meet. */
function nearest(
  aMin: number,
  aMax: number,
  bMin: number,
  bMax: number,
): readonly [number, number] {
  if (aMax < bMin) return [aMax, bMin];
  return bMax < aMin ? [aMin, bMax] : [aMin, aMin];
}
