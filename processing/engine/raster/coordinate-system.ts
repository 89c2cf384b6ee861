import proj4 from "proj4";
import { DomainError } from "../../../domain/errors.ts";

/** How the coordinates of a raster relate to longitude and latitude on WGS 84, degrees. */
export interface CoordinateSystem {
  /** 32767: a projection that has no code, and whose parameters a file spells out. */
  readonly epsg: number;
  /** Metres of one unit of x and y; `undefined`: degrees. */
  readonly unitM: number | undefined;
  fromGeodetic(lonDeg: number, latDeg: number): readonly [x: number, y: number];
  toGeodetic(x: number, y: number): readonly [lonDeg: number, latDeg: number];
}

/**
 * Systems that need no table: geographic ones, Web Mercator, and UTM on the datums that agree with
 * WGS 84 to better than 2 m (EPSG guidance note 7-2; the shift of NAD 83 is left out on purpose, as
 * volumes do not see it).
 */
function definitionOf(epsg: number): string | undefined {
  if (epsg === 4326 || epsg === 4979) return "+proj=longlat +datum=WGS84 +no_defs";
  if (epsg === 4258 || epsg === 4269) return "+proj=longlat +ellps=GRS80 +no_defs";
  if (epsg === 3857) {
    return "+proj=merc +a=6378137 +b=6378137 +lat_ts=0 +lon_0=0 +x_0=0 +y_0=0 +k=1 +units=m +no_defs";
  }
  const zone = epsg % 100;
  const family = epsg - zone;
  if (family === 32_600 && zone >= 1 && zone <= 60) {
    return `+proj=utm +zone=${zone} +datum=WGS84 +units=m +no_defs`;
  }
  if (family === 32_700 && zone >= 1 && zone <= 60) {
    return `+proj=utm +zone=${zone} +south +datum=WGS84 +units=m +no_defs`;
  }
  // ETRS89 and NAD83: zones 28 to 38 and 1 to 23.
  if (family === 25_800 && zone >= 28 && zone <= 38) {
    return `+proj=utm +zone=${zone} +ellps=GRS80 +units=m +no_defs`;
  }
  if (family === 26_900 && zone >= 1 && zone <= 23) {
    return `+proj=utm +zone=${zone} +ellps=GRS80 +units=m +no_defs`;
  }
  return undefined;
}

/** The systems that are known here, for messages. */
export const KNOWN_SYSTEMS =
  "UTM on WGS 84 (326xx, 327xx), ETRS89 (258xx) and NAD83 (269xx), geographic coordinates (4326, 4258, " +
  "4269) and Web Mercator (3857)";

/**
 * The system of an EPSG code.
 * @throws DomainError `IMAGE_REFUSED` for one that is not known here.
 */
export function coordinateSystem(epsg: number | undefined): CoordinateSystem {
  const system = epsg === undefined ? undefined : knownSystem(epsg);
  if (system !== undefined) return system;
  const problem = epsg === undefined ? "is not named by an EPSG code" : `EPSG:${epsg} is not known`;
  throw new DomainError(
    "IMAGE_REFUSED",
    `the raster's coordinate system ${problem}; known are ${KNOWN_SYSTEMS}`,
  );
}

/** The system of an EPSG code; `undefined` for one that is not known here. */
export function knownSystem(epsg: number): CoordinateSystem | undefined {
  const definition = Number.isInteger(epsg) ? definitionOf(epsg) : undefined;
  if (definition === undefined) return undefined;
  const isGeographic = definition.includes("longlat");
  if (isGeographic) {
    return {
      epsg,
      unitM: undefined,
      fromGeodetic: (lonDeg, latDeg) => [lonDeg, latDeg],
      toGeodetic: (x, y) => [x, y],
    };
  }
  return projectedSystem(epsg, definition, 1);
}

/**
 * A projection that is given in the notation of PROJ.
 * @param unitM metres of one unit of x and y; `definition` counts metres
 */
export function projectedSystem(epsg: number, definition: string, unitM: number): CoordinateSystem {
  const converter = proj4("+proj=longlat +datum=WGS84 +no_defs", definition);
  return {
    epsg,
    unitM,
    fromGeodetic(lonDeg, latDeg) {
      const [x, y] = pair(converter.forward([lonDeg, latDeg]));
      return [x / unitM, y / unitM];
    },
    toGeodetic: (x, y) => pair(converter.inverse([x * unitM, y * unitM])),
  };
}

function pair([x = Number.NaN, y = Number.NaN]: readonly number[]): readonly [number, number] {
  return [x, y];
}
