import { fromArrayBuffer } from "geotiff";
import { describe, expect, it } from "vitest";
import { degreesOutside, outputSystem } from "../../../processing/coordinates/map-projection.ts";
import { writeCog } from "../../../processing/photogrammetry/products/cog/write-cog.ts";
import { mapGrid } from "../../../processing/photogrammetry/products/map/map-grid.ts";

const WARSAW = { latDeg: 52.2, lonDeg: 21, heightM: 120 };
const NEW_YORK = { latDeg: 40.7, lonDeg: -73.9, heightM: 10 };
const grid = { westM: -50, northM: 50, cellM: 0.5, width: 200, height: 200 };

/** The raster as the file says where it lies. */
async function written(origin: typeof WARSAW, epsg: string) {
  const { projection } = outputSystem(epsg);
  const map = mapGrid(origin, grid, 0, 0.5, projection);
  const { width, height } = map.frame;
  const values = new Float32Array(width * height).fill(1);
  const bytes = writeCog({ kind: "elevation", width, height, values }, map.frame, {
    items: {},
    bands: ["height"],
    unit: "m",
  });
  const tiff = await fromArrayBuffer(bytes.slice().buffer);
  const image = await tiff.getImage(0);
  return { map, box: image.getBoundingBox(), keys: image.getGeoKeys() };
}

describe("maps in a system that was asked for", () => {
  it("maps in a system that was asked for lie in a national grid where GDAL has the place", async () => {
    const { map, box, keys } = await written(WARSAW, "EPSG:2180");
    expect(keys).toMatchObject({ ProjectedCSTypeGeoKey: 2180, ProjLinearUnitsGeoKey: 9001 });
    const [west = 0, south = 0, east = 0, north = 0] = box;
    // gdaltransform -s_srs EPSG:4326 -t_srs EPSG:2180, of the middle.
    expect((west + east) / 2).toBeCloseTo(636_640.47, -1);
    expect((south + north) / 2).toBeCloseTo(483_432.2, -1);
    expect(map.errorM).toBeLessThan(0.001);
  });

  it("maps in a system that was asked for count feet in a state plane", async () => {
    const { map, box, keys } = await written(NEW_YORK, "EPSG:2263");
    expect(keys).toMatchObject({ ProjectedCSTypeGeoKey: 2263, ProjLinearUnitsGeoKey: 9003 });
    const [west = 0, south = 0, east = 0, north = 0] = box;
    expect((west + east) / 2).toBeCloseTo(1_011_978.08, -1);
    expect((south + north) / 2).toBeCloseTo(194_321.17, -1);
    expect(east - west).toBeCloseTo((map.frame.width * 0.5 * 3937) / 1200, 3);
    expect(map.errorM).toBeLessThan(0.001);
  });

  it.each([
    ["EPSG:4326", /counts degrees; give a projected system/],
    ["EPSG:5513", /axes do not count east and north/],
    ["+proj=utm +zone=32 +datum=WGS84", /has no EPSG code/],
    ["EPSG:3167", /neither metres nor feet/],
    ["EPSG:1", /is not a projected, geographic or compound system/],
  ])("maps in a system that was asked for are refused in %s", (text, message) => {
    expect(() => outputSystem(text)).toThrow(message);
  });

  it("maps in a system that was asked for know how far a place lies outside of the area of a system, across 180 degrees too", () => {
    expect(degreesOutside(outputSystem("EPSG:2180").area, WARSAW)).toBe(0);
    expect(degreesOutside(outputSystem("EPSG:2180").area, NEW_YORK)).toBeGreaterThan(80);
    const fiji = [176, -20, -178, -12] as const;
    expect(degreesOutside(fiji, { lonDeg: 179, latDeg: -15 })).toBe(0);
    expect(degreesOutside(fiji, { lonDeg: -177, latDeg: -15 })).toBe(1);
  });
});
