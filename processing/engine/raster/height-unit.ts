import type { GeoTIFFImage } from "geotiff";
import { FOOT_M, US_SURVEY_FOOT_M } from "../../../domain/geometry/length-units.ts";
import { refusedRaster } from "./refused-raster.ts";
import { statedHeights } from "./stated-heights.ts";

/** Metres of one unit of length, by EPSG code (EPSG Dataset 12.029). */
const UNIT_M: Readonly<Record<number, number>> = {
  1025: 0.001,
  1033: 0.01,
  9001: 1,
  9002: FOOT_M,
  9003: US_SURVEY_FOOT_M,
  9095: 0.3048007491,
};
/** What GDAL's band unit may say, in lower case. */
const NAMED: readonly (readonly [pattern: RegExp, epsg: number])[] = [
  [/^(m|metre|meter|metres|meters)$/, 9001],
  [/^(us[- _]?ft|ftus|us[- _]survey[- _](foot|feet))$/, 9003],
  [/^(ft|foot|feet|international (foot|feet))$/, 9002],
  [/^(cm|centimet(re|er)s?)$/, 1033],
  [/^(mm|millimet(re|er)s?)$/, 1025],
];
/** Two units are one: factors are stated to 9 digits or more. */
const SAME_UNIT = 1e-8;
/** GeoTIFF 1.1 section 7.5: the code of what the file itself defines. */
const USER_DEFINED = 32_767;

/** Metres of one unit of heights, and whether the file or its provider states it. */
export interface StatedUnit {
  readonly unitM: number;
  readonly isStated: boolean;
}

/**
 * Metres of one unit of a raster's heights, by its vertical GeoKeys and GDAL's band unit; 1 where it names
 * none.
 * @param planUnitM metres of one unit of x and y; `undefined`: degrees
 * @param bandUnit GDAL's UNITTYPE
 * @param askedM what the provider of the raster states; absent: nothing
 * @throws DomainError `IMAGE_REFUSED` for depths, for unknown units, for two units that contradict each
 *   other, and where plan is in feet and the unit of heights is not stated
 */
export function heightUnitM(
  keys: ReturnType<GeoTIFFImage["getGeoKeys"]>,
  planUnitM: number | undefined,
  bandUnit: unknown,
  askedM?: number,
): StatedUnit {
  const system = statedHeights(keys);
  if (system?.isDepth === true) {
    throw refusedRaster(`holds depths (EPSG:${system.epsg}), not heights`);
  }
  const unit = unitOf(keys?.["VerticalUnitsGeoKey"], "heights");
  // A metric system may be counted in feet: the unit key comes before it.
  const isOwnUnit = unit !== undefined && system?.unitM === 1;
  const stated = [unit, isOwnUnit ? undefined : system?.unitM, named(bandUnit)].filter(
    (unit) => unit !== undefined,
  );
  const [unitM = askedM] = stated;
  if (unitM === undefined) {
    if (planUnitM === undefined || planUnitM === 1) return { unitM: 1, isStated: false };
    throw refusedRaster(
      "counts x and y in feet and does not state the unit of its heights: say it beside the " +
        "file (surface_height_unit), or write it into the file (gdal_edit.py -units ft)",
    );
  }
  if (stated.some((other) => Math.abs(other / unitM - 1) > SAME_UNIT)) {
    throw refusedRaster("names two different units for its heights");
  }
  if (askedM !== undefined && Math.abs(askedM / unitM - 1) > SAME_UNIT) {
    throw refusedRaster(
      `counts heights in units of ${unitM} m by its own words, not of ${askedM} m as the request says`,
    );
  }
  return { unitM, isStated: true };
}

/**
 * Metres of a unit of length by its EPSG code; `undefined`: the file names none.
 * @param of what is counted in it, for messages
 * @throws DomainError `IMAGE_REFUSED` for a unit that is not known
 */
export function unitOf(code: unknown, of: string): number | undefined {
  if (typeof code !== "number" || code === 0 || code === USER_DEFINED) return undefined;
  const unitM = UNIT_M[code];
  if (unitM === undefined)
    throw refusedRaster(`counts ${of} in a unit that is not known (${code})`);
  return unitM;
}

function named(bandUnit: unknown): number | undefined {
  if (typeof bandUnit !== "string" || bandUnit.trim() === "") return undefined;
  const name = bandUnit.trim().toLowerCase();
  const [, epsg] = NAMED.find(([pattern]) => pattern.test(name)) ?? [];
  if (epsg === undefined)
    throw refusedRaster(`counts heights in a unit that is not known ("${name}")`);
  return UNIT_M[epsg];
}
