import type { MapFrame } from "./map-grid.ts";

/** EPSG codes of WGS 84 / UTM: 32601 to 32660 north, 32701 to 32760 south. */
const UTM_NORTH = 32_600;
const UTM_SOUTH = 32_700;
const ZONES = 60;
const WGS84 =
  'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563,' +
  'AUTHORITY["EPSG","7030"]],AUTHORITY["EPSG","6326"]],PRIMEM["Greenwich",0,AUTHORITY["EPSG","8901"]],' +
  'UNIT["degree",0.0174532925199433,AUTHORITY["EPSG","9122"]],AUTHORITY["EPSG","4326"]]';

/**
 * The map's coordinate system as WKT 1 (OGC 01-009), which LAS 1.4 requires. Whole for UTM; of another system
 * its name and EPSG code, which readers look up.
 */
export function mapWkt({ epsg, projection, unitM }: MapFrame): string {
  const isSouth = epsg > UTM_SOUTH && epsg <= UTM_SOUTH + ZONES;
  const zone = epsg - (isSouth ? UTM_SOUTH : UTM_NORTH);
  const name = projection.replaceAll('"', "'");
  if (!(zone >= 1 && zone <= ZONES)) {
    return `LOCAL_CS["${name}",UNIT["${unitM === 1 ? "metre" : "foot"}",${unitM}],AUTHORITY["EPSG","${epsg}"]]`;
  }
  const parameters = [
    ["latitude_of_origin", 0],
    ["central_meridian", 6 * zone - 183],
    ["scale_factor", 0.9996],
    ["false_easting", 500_000],
    ["false_northing", isSouth ? 10_000_000 : 0],
  ].map(([key, value]) => `PARAMETER["${key}",${value}]`);
  return (
    `PROJCS["${name}",${WGS84},PROJECTION["Transverse_Mercator"],${parameters.join(",")},` +
    `UNIT["metre",1,AUTHORITY["EPSG","9001"]],AXIS["Easting",EAST],AXIS["Northing",NORTH],` +
    `AUTHORITY["EPSG","${epsg}"]]`
  );
}
