import type { GeoTIFFImage } from "geotiff";
import { refusedRaster } from "./refused-raster.ts";

/** Metres of one unit of length, by EPSG code (EPSG Dataset 12.029). */
const UNIT_M: Readonly<Record<number, number>> = {
  1025: 0.001,
  1033: 0.01,
  9001: 1,
  9002: 0.3048,
  9003: 1200 / 3937,
  9095: 0.3048007491,
};
/**
 * Units of vertical systems that are not metric, by EPSG code (EPSG Dataset 12.029). GDAL writes the code of
 * the system alone, without a unit beside it.
 */
const SYSTEM_UNIT: Readonly<Record<number, number>> = {
  5702: 9003,
  5754: 9095,
  6130: 9002,
  6131: 9002,
  6132: 9002,
  6360: 9003,
  8050: 9002,
  8052: 9003,
  8228: 9002,
  10919: 9003,
};
/** Vertical systems that count downwards (EPSG Dataset 12.029): soundings, not surfaces of land. */
const DEPTHS: ReadonlySet<number> = new Set([
  5336, 5612, 5614, 5706, 5715, 5734, 5739, 5789, 5831, 5861, 5862, 5863, 5864, 5865, 5866, 5867,
  5873, 6357, 6358, 6359, 7976, 8051, 8053, 8358, 9287, 9288, 9672, 10150, 10151, 10349, 10364,
  10547, 10548, 10549, 10550, 10551, 10552, 10649, 10650, 10678,
]);
/** What GDAL's band unit may say, in lower case. */
const NAMED: readonly (readonly [pattern: RegExp, epsg: number])[] = [
  [/^(m|metre|meter|metres|meters)$/, 9001],
  [/^(us[- _]?ft|ftus|us[- _]survey[- _](foot|feet))$/, 9003],
  [/^(ft|foot|feet|international (foot|feet))$/, 9002],
  [/^(cm|centimet(re|er)s?)$/, 1033],
  [/^(mm|millimet(re|er)s?)$/, 1025],
];
/** GeoTIFF 1.1 section 7.5: the code of what the file itself defines. */
const USER_DEFINED = 32_767;

/**
 * Metres of one unit of a raster's heights, by its vertical GeoKeys and GDAL's band unit; 1 where it names
 * none.
 * @param planUnitM metres of one unit of x and y; `undefined`: degrees
 * @param bandUnit GDAL's UNITTYPE
 * @throws DomainError `IMAGE_REFUSED` for depths, for unknown units, for two units that contradict each
 * other, and where plan is in feet and heights name no unit
 */
export function heightUnitM(
  keys: ReturnType<GeoTIFFImage["getGeoKeys"]>,
  planUnitM: number | undefined,
  bandUnit: unknown,
): number {
  const vertical: unknown = keys?.["VerticalCSTypeGeoKey"];
  if (typeof vertical === "number" && DEPTHS.has(vertical)) {
    throw refusedRaster(`holds depths (EPSG:${vertical}), not heights`);
  }
  const told = [
    unitOf(keys?.["VerticalUnitsGeoKey"], "heights"),
    typeof vertical === "number" ? unitOfSystem(vertical) : undefined,
    named(bandUnit),
  ].filter((unit) => unit !== undefined);
  const [unitM] = told;
  if (unitM === undefined) {
    if (planUnitM === undefined || planUnitM === 1) return 1;
    throw refusedRaster(
      "counts x and y in feet and does not say in what it counts heights: write their unit into the file " +
        "(gdal_edit.py -units ft)",
    );
  }
  if (told.some((other) => other !== unitM)) {
    throw refusedRaster("names two different units for its heights");
  }
  return unitM;
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

/** Systems of a national agency or of nobody known say nothing here: nearly all count metres. */
function unitOfSystem(code: number): number | undefined {
  const unit = SYSTEM_UNIT[code];
  return unit === undefined ? undefined : UNIT_M[unit];
}

function named(bandUnit: unknown): number | undefined {
  if (typeof bandUnit !== "string" || bandUnit.trim() === "") return undefined;
  const name = bandUnit.trim().toLowerCase();
  const [, epsg] = NAMED.find(([pattern]) => pattern.test(name)) ?? [];
  if (epsg === undefined)
    throw refusedRaster(`counts heights in a unit that is not known ("${name}")`);
  return UNIT_M[epsg];
}
