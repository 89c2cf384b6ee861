import type { GeoTIFFImage } from "geotiff";
import { type CoordinateSystem, coordinateSystem, projectedSystem } from "./coordinate-system.ts";
import { unitOf } from "./height-unit.ts";
import { refusedRaster } from "./refused-raster.ts";

/** Keys of a GeoTIFF by name (GeoTIFF 1.1 annex B). */
type GeoKeys = NonNullable<ReturnType<GeoTIFFImage["getGeoKeys"]>>;

/** GeoTIFF 1.1 section 7.5: the code of what the file itself defines. */
const USER_DEFINED = 32_767;
/** Geographic systems and datums that agree with WGS 84 to better than 2 m. */
const LIKE_WGS_84: ReadonlySet<unknown> = new Set([4326, 4979, 4258, 4269, 6326, 6258, 6269]);
/** Semi-major axis of WGS 84 and GRS 80, metres. */
const SEMI_MAJOR_M = 6_378_137;
const DEGREES = 9102;

/**
 * The system that a GeoTIFF names, by an EPSG code or by the parameters of its projection. Of a compound
 * one the horizontal part; the vertical one is for `heightUnitM`.
 * @throws DomainError `IMAGE_REFUSED` for one that is not known here
 */
export function rasterSystem(keys: GeoKeys | null): CoordinateSystem {
  const code: unknown = keys?.ProjectedCSTypeGeoKey ?? keys?.GeographicTypeGeoKey;
  const epsg = typeof code === "number" && code !== USER_DEFINED ? code : undefined;
  const own = epsg === undefined && keys !== null ? ownProjection(keys) : undefined;
  if (own !== undefined) return own;
  const system = coordinateSystem(epsg);
  const unitM = unitOf(keys?.ProjLinearUnitsGeoKey, "x and y") ?? 1;
  if (system.unitM !== undefined && unitM !== system.unitM) {
    throw refusedRaster(
      `is in EPSG:${system.epsg}, which counts metres, and says that it counts another unit`,
    );
  }
  return system;
}

/**
 * Transverse Mercator, or Lambert's conic with one or two standard parallels (GeoTIFF 1.1 section 7.4.4.3);
 * `undefined`: another projection, or a datum that does not agree with WGS 84.
 */
function ownProjection(keys: GeoKeys): CoordinateSystem | undefined {
  const isDatumKnown =
    LIKE_WGS_84.has(keys.GeographicTypeGeoKey) || LIKE_WGS_84.has(keys.GeogGeodeticDatumGeoKey);
  const isEllipsoidKnown = keys.GeogSemiMajorAxisGeoKey === SEMI_MAJOR_M;
  const angles: unknown = keys.GeogAngularUnitsGeoKey ?? DEGREES;
  if (!(isDatumKnown || isEllipsoidKnown) || angles !== DEGREES) return undefined;
  const unitM = unitOf(keys.ProjLinearUnitsGeoKey, "x and y") ?? 1;
  const projection = projectionOf(keys, unitM);
  if (projection === undefined) return undefined;
  return projectedSystem(USER_DEFINED, `${projection} +ellps=GRS80 +units=m +no_defs`, unitM);
}

function projectionOf(keys: GeoKeys, unitM: number): string | undefined {
  const scale = numberOr(keys.ProjScaleAtNatOriginGeoKey, 1);
  const natural =
    `+lat_0=${numberOr(keys.ProjNatOriginLatGeoKey, 0)} +lon_0=${numberOr(keys.ProjNatOriginLongGeoKey, 0)} ` +
    `+x_0=${numberOr(keys.ProjFalseEastingGeoKey, 0) * unitM} ` +
    `+y_0=${numberOr(keys.ProjFalseNorthingGeoKey, 0) * unitM}`;
  const parallel: unknown = keys.ProjStdParallel1GeoKey;
  switch (keys.ProjCoordTransGeoKey as unknown) {
    case 1:
      return `+proj=tmerc ${natural} +k=${scale}`;
    case 8:
      return (
        `+proj=lcc +lat_1=${numberOr(parallel, 0)} +lat_2=${numberOr(keys.ProjStdParallel2GeoKey, 0)} ` +
        `+lat_0=${numberOr(keys.ProjFalseOriginLatGeoKey, 0)} +lon_0=${numberOr(keys.ProjFalseOriginLongGeoKey, 0)} ` +
        `+x_0=${numberOr(keys.ProjFalseOriginEastingGeoKey, 0) * unitM} ` +
        `+y_0=${numberOr(keys.ProjFalseOriginNorthingGeoKey, 0) * unitM}`
      );
    case 9:
      return `+proj=lcc +lat_1=${numberOr(keys.ProjNatOriginLatGeoKey, 0)} ${natural} +k_0=${scale}`;
    default:
      return undefined;
  }
}

function numberOr(value: unknown, fallback: number): number {
  return typeof value === "number" && Number.isFinite(value) ? value : fallback;
}
