import proj4 from "proj4";
import type { Place } from "./place.ts";
import { type GeodeticPosition, geodeticPosition } from "./wgs84.ts";

/** UTM about a site: metres east and north of the zone's false origin. */
export interface UtmPlane {
  /** EPSG code: WGS 84 / UTM of the site's zone. */
  readonly epsg: number;
  /** The site's origin. */
  readonly x0: number;
  readonly y0: number;
  toSite(x: number, y: number): Place;
  fromSite(place: Place): readonly [x: number, y: number];
}

/** Over 200 m UTM is an affine map of ENU to 0.1 mm: two steps of 50 m give its coefficients. */
export function createUtmPlane(origin: GeodeticPosition): UtmPlane {
  const zone = Math.floor((origin.lonDeg + 180) / 6) + 1;
  const epsg = (origin.latDeg < 0 ? 32_700 : 32_600) + zone;
  const hemisphere = origin.latDeg < 0 ? " +south" : "";
  const utm = proj4(`+proj=utm +zone=${zone} +datum=WGS84 +units=m +no_defs${hemisphere}`);
  const project = (eastM: number, northM: number) => {
    const { lonDeg, latDeg } = geodeticPosition(origin, { eastM, northM, upM: 0 });
    const [x = 0, y = 0] = utm.forward([lonDeg, latDeg]);
    return [x, y] as const;
  };
  const step = 50;
  const [x0, y0] = project(0, 0);
  const [xe, ye] = project(step, 0);
  const [xn, yn] = project(0, step);
  const [a, b, c, d] = [(xe - x0) / step, (xn - x0) / step, (ye - y0) / step, (yn - y0) / step];
  const determinant = a * d - b * c;
  return {
    epsg,
    x0,
    y0,
    toSite: (x, y) => ({
      eastM: (d * (x - x0) - b * (y - y0)) / determinant,
      northM: (a * (y - y0) - c * (x - x0)) / determinant,
    }),
    fromSite: ({ eastM, northM }) => [x0 + a * eastM + b * northM, y0 + c * eastM + d * northM],
  };
}
