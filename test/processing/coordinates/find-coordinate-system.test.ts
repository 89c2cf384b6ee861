import { describe, expect, it } from "vitest";
import {
  coordinateSystem,
  findCoordinateSystem,
} from "../../../processing/coordinates/find-coordinate-system.ts";

/** Longitude, latitude, x and y by `gdaltransform -s_srs EPSG:4326 -t_srs EPSG:...` (GDAL 3.6, PROJ 9.1). */
const BY_GDAL: readonly (readonly [string, number, number, number, number])[] = [
  ["EPSG:2180", 19.2, 52.1, 513695.375774966, 470447.112387534],
  ["EPSG:2056", 7.6, 46.9, 2612295.87591155, 1194333.62021901],
  ["EPSG:2263", -73.9, 40.7, 1011978.07676434, 194321.165971139],
  ["EPSG:2227", -122, 37.5, 6126548.24449729, 2008012.81276143],
  ["EPSG:3031", 30, -75, 819391.619203618, 1419227.9157568],
  ["EPSG:2154", 2.5, 47, 662007.006057326, 6655651.14884994],
  ["EPSG:3006", 17, 60, 611544.041978213, 6653097.43517196],
  ["EPSG:3067", 25, 62, 395257.320143905, 6875794.50484646],
  ["EPSG:27700", -1.5, 53, 433653.297006145, 344858.882726786],
  ["EPSG:2046", 15.3, -29, -29231.7437715846, 3209306.42586545],
  ["EPSG:32632", 9.5, 51.25, 534895.824719545, 5677745.17838546],
  ["EPSG:4807", 9.5, 51.25, 7.95913471857225, 56.9444867485972],
];

const UTM_32 = [534895.824719545, 5677745.17838546] as const;
const CS92 =
  "+proj=tmerc +lat_0=0 +lon_0=19 +k=0.9993 +x_0=500000 +y_0=-5300000 +ellps=GRS80 +units=m";
const NEW_YORK_ESRI =
  'PROJCS["NAD_1983_StatePlane_New_York_Long_Island_FIPS_3104_Feet",GEOGCS["GCS_North_American_1983",' +
  'DATUM["D_North_American_1983",SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],' +
  'UNIT["Degree",0.0174532925199433]],PROJECTION["Lambert_Conformal_Conic"],' +
  'PARAMETER["False_Easting",984250.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",-74.0],' +
  'PARAMETER["Standard_Parallel_1",40.6666666666667],PARAMETER["Standard_Parallel_2",41.0333333333333],' +
  'PARAMETER["Latitude_Of_Origin",40.1666666666667],UNIT["US survey foot",0.304800609601219]]';
/** EPSG:2180 as GDAL writes it, with the authority's order of axes: northing first. */
const polandWkt = (code: string) =>
  'PROJCS["ETRF2000-PL / CS92",GEOGCS["ETRF2000-PL",DATUM["ETRF2000_Poland",SPHEROID["GRS 1980",6378137,' +
  '298.257222101]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433],AUTHORITY["EPSG","9702"]],' +
  'PROJECTION["Transverse_Mercator"],PARAMETER["latitude_of_origin",0],PARAMETER["central_meridian",19],' +
  'PARAMETER["scale_factor",0.9993],PARAMETER["false_easting",500000],PARAMETER["false_northing",-5300000],' +
  'UNIT["metre",1],AXIS["Northing",NORTH],AXIS["Easting",EAST]' +
  `${code}]`;

describe("coordinateSystem", () => {
  it.each(BY_GDAL)("coordinateSystem projects as GDAL does: %s", (text, lonDeg, latDeg, x, y) => {
    const system = coordinateSystem(text);
    const unitM = system.unitM ?? 111_000;
    const [ownX, ownY] = system.fromGeodetic(lonDeg, latDeg);
    expect(Math.hypot(ownX - x, ownY - y) * unitM).toBeLessThan(0.001);
    const [backLon, backLat] = system.toGeodetic(x, y);
    expect(Math.hypot(backLon - lonDeg, backLat - latDeg) * 111_000).toBeLessThan(0.002);
  });

  it.each([
    "WGS84 UTM 32N",
    "WGS 84 / UTM zone 32N",
    "epsg:32632",
    "urn:ogc:def:crs:EPSG::32632",
  ])("coordinateSystem reads %s", (text) => {
    const [x, y] = coordinateSystem(text).fromGeodetic(9.5, 51.25);
    expect(Math.hypot(x - UTM_32[0], y - UTM_32[1])).toBeLessThan(0.001);
  });

  it.each([
    ["a PROJ string", CS92],
    ["WKT without a code", polandWkt("")],
    ["WKT with its code", polandWkt(',AUTHORITY["EPSG","2180"]')],
  ])("coordinateSystem gives easting before northing, whatever the authority's order is: %s", (_form, text) => {
    const [x, y] = coordinateSystem(text).fromGeodetic(19.2, 52.1);
    expect([x, y]).toEqual([expect.closeTo(513695.3758, 3), expect.closeTo(470447.1124, 3)]);
  });

  it.each([
    ["EPSG:28992", 5.5, 52.1, 162728.688938602, 456867.561915735],
    ["EPSG:3021", 15, 60, 1455074.11052197, 6653716.56591655],
    ["EPSG:5514", 15, 50, -703011.881903091, -1058147.27404898],
  ] as const)("coordinateSystem shifts the datum as PROJ does, within the accuracy that it states: %s", (text, lonDeg, latDeg, x, y) => {
    const system = coordinateSystem(text);
    const [ownX, ownY] = system.fromGeodetic(lonDeg, latDeg);
    expect(Math.hypot(ownX - x, ownY - y)).toBeLessThan(1.5 * (system.shift.accuracyM ?? 0));
  });

  it("coordinateSystem reads WKT as Esri writes it, in US survey feet", () => {
    const system = coordinateSystem(NEW_YORK_ESRI);
    const [x, y] = system.fromGeodetic(-73.9, 40.7);
    expect([x, y]).toEqual([expect.closeTo(1011978.0768, 2), expect.closeTo(194321.166, 2)]);
    expect(system.unitM).toBeCloseTo(1200 / 3937, 12);
  });

  it("coordinateSystem knows the heights of a compound system and their unit", () => {
    const feet = coordinateSystem("EPSG:2263+6360");
    expect(feet.vertical).toMatchObject({ epsg: 6360, unitM: 1200 / 3937, isDepth: false });
    expect(coordinateSystem("EPSG:7405")).toMatchObject({ epsg: 27700, vertical: { epsg: 5701 } });
    expect(coordinateSystem("EPSG:2263").vertical).toBeUndefined();
    expect(coordinateSystem(`${CS92} +vunits=us-ft`).vertical?.unitM).toBeCloseTo(1200 / 3937, 12);
  });

  it("coordinateSystem names the grids that would relate it to WGS 84 more accurately", () => {
    const { shift } = coordinateSystem("EPSG:27700");
    expect(shift).toEqual({
      by: "parameters",
      accuracyM: 2,
      missingGrids: ["OSTN15_NTv2_OSGBtoETRS.gsb"],
    });
    expect(coordinateSystem("EPSG:32632").shift).toEqual({
      by: "none",
      accuracyM: 0,
      missingGrids: [],
    });
  });

  it.each([
    ["EPSG:4978", /"EPSG:4978" is not a projected, geographic or compound system/],
    ["EPSG:5773", /is a system of heights alone \(EGM96 height\)/],
    ["EPSG:2180+4326", /has no system of heights EPSG:4326/],
    ["EPSG:8441", /projection "labrd", which is not known/],
    ["EPSG:5515", /Krovak\) is not supported: it has no PROJ string/],
    ["EPSG:8044", /is not supported: its axes count south and west/],
    ["WGS84 UTM 61N", /zone that is not 1 to 60/],
    ["+proj=igh +lon_0=0", /projection "igh", which is not known/],
    ["+proj=tmerc +ellps=moonbase", /ellipsoid "moonbase"/],
    ["+proj=tmerc +datum=Atlantis", /datum "Atlantis"/],
    ["+proj=utm +zone=32 +units=cubit", /a unit that is not known \("cubit"\)/],
    ["+proj=utm +zone=32 +step", /parameter \+step/],
    ["Poland", /is not an EPSG code .* a PROJ string .* WKT, or "WGS84 UTM 32N"/],
    ['LOCAL_CS["mine",UNIT["metre",1]]', /of the kind LOCAL_CS/],
    [`${"A[".repeat(100)}`, /is not well-known text/],
    [polandWkt(',AUTHORITY["EPSG","2177"]'), /names EPSG:2177 and has other parameters/],
  ])("coordinateSystem refuses %.60s by name", (text, message) => {
    expect(() => coordinateSystem(text)).toThrow(message);
  });

  it("coordinateSystem has no value for what lies beyond a projection, instead of an error", () => {
    const system = findCoordinateSystem("EPSG:2180");
    if ("problem" in system) throw new Error(system.problem);
    expect(system.toGeodetic(Number.NaN, 0)).toEqual([Number.NaN, Number.NaN]);
  });
});
