import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeArrayBuffer } from "geotiff";
import proj4 from "proj4";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readElevation, readOrtho } from "../../../../processing/engine/raster/read-surface.ts";
import { createEnuFrame } from "../../../../processing/geometry/enu.ts";
import type { ElevationGrid } from "../../../../processing/grid/elevation-grid.ts";

/** UTM 32N, far from the middle of its zone: map north is 2 degrees off true north. */
const UTM = "+proj=utm +zone=32 +datum=WGS84 +units=m +no_defs";
const EAST = 690_000;
const NORTH = 5_830_000;
const SIZE = 80;
const CELL = 0.5;

/** A tilted plane: 2 % up to the map's east, 1 % down to its north. */
const plane = (x: number, y: number) => 60 + 0.02 * (x - EAST) - 0.01 * (y - NORTH);

function heightAt(grid: ElevationGrid, east: number, north: number): number {
  const column = Math.floor((east - grid.westM) / grid.cellM);
  const row = Math.floor((grid.northM - north) / grid.cellM);
  return grid.elevationM[row * grid.width + column] ?? Number.NaN;
}

describe("a surface from a GeoTIFF", () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), "raster-"));
  });
  afterEach(() => rm(dir, { recursive: true }));

  async function write(
    values: Float32Array | Uint8Array,
    metadata: Record<string, unknown>,
  ): Promise<string> {
    const path = join(dir, "surface.tif");
    const bytes = await writeArrayBuffer(values, { width: SIZE, height: SIZE, ...metadata });
    await writeFile(path, new Uint8Array(bytes as ArrayBuffer));
    return path;
  }
  const projected = {
    GTModelTypeGeoKey: 1,
    GTRasterTypeGeoKey: 1,
    ProjectedCSTypeGeoKey: 32_632,
    ModelPixelScale: [CELL, CELL, 0],
    ModelTiepoint: [0, 0, 0, EAST, NORTH, 0],
  };

  /** Heights at the middles of the cells; `shift` 0.5 puts the first of them on the tie point. */
  function tilted(shift = 0): Float32Array {
    return Float32Array.from({ length: SIZE * SIZE }, (_, i) =>
      plane(
        EAST + ((i % SIZE) + 0.5 - shift) * CELL,
        NORTH - (Math.floor(i / SIZE) + 0.5 - shift) * CELL,
      ),
    );
  }

  /** Largest difference to the plane over the middle of the grid, metres. */
  function worst(dsm: ElevationGrid, origin: Parameters<typeof createEnuFrame>[0]): number {
    const frame = createEnuFrame(origin);
    let most = 0;
    for (let row = 5; row < dsm.height - 5; row += 1) {
      for (let column = 5; column < dsm.width - 5; column += 1) {
        const east = dsm.westM + (column + 0.5) * dsm.cellM;
        const north = dsm.northM - (row + 0.5) * dsm.cellM;
        const { lonDeg, latDeg } = frame.toGeodetic([east, north, 0]);
        const [x = 0, y = 0] = proj4(UTM, [lonDeg, latDeg]);
        const elevation = dsm.elevationM[row * dsm.width + column] ?? Number.NaN;
        if (Number.isNaN(elevation)) continue;
        most = Math.max(most, Math.abs(elevation + origin.heightM - plane(x, y)));
      }
    }
    return most;
  }

  it("a surface from a GeoTIFF in UTM lies where it should, to a millimetre, though map north is not true north", async () => {
    const { dsm, origin, pixelM } = await readElevation(await write(tilted(), projected));
    expect(pixelM).toBe(CELL);
    // The scale of UTM there is 1.00003.
    expect(dsm.cellM).toBeCloseTo(CELL, 3);
    // Turned by 2 degrees, 40 m x 40 m need a box of 41.4 m.
    expect(dsm.width * dsm.cellM).toBeGreaterThan(40.5);
    expect(dsm.width * dsm.cellM).toBeLessThan(42.5);
    const error = worst(dsm, origin);
    expect(error).toBeLessThan(0.001);
    expect(error).toBeGreaterThan(0);
  });

  it("a surface from a GeoTIFF takes PixelIsPoint for the middle of a cell", async () => {
    const path = await write(tilted(0.5), { ...projected, GTRasterTypeGeoKey: 2 });
    const { dsm, origin } = await readElevation(path);
    expect(worst(dsm, origin)).toBeLessThan(0.001);
  });

  it("a surface from a GeoTIFF leaves cells without data empty, and never mixes them in", async () => {
    const values = tilted();
    for (let row = 30; row < 50; row += 1) values.fill(-9_999, row * SIZE + 30, row * SIZE + 50);
    const { dsm, origin } = await readElevation(
      await write(values, { ...projected, GDAL_NODATA: "-9999" }),
    );
    expect(worst(dsm, origin)).toBeLessThan(0.02);
    expect(heightAt(dsm, 0, 0)).toBeNaN();
    const known = dsm.elevationM.filter((height) => !Number.isNaN(height)).length;
    // 6,400 less 400, and what rounding at the edges does.
    expect(known).toBeGreaterThan(5_850);
    expect(known).toBeLessThan(6_150);
  });

  it("a surface from a GeoTIFF in degrees is brought to metres", async () => {
    const [lon = 0, lat = 0] = proj4(UTM).inverse([EAST, NORTH]);
    const path = await write(new Float32Array(SIZE * SIZE).fill(80), {
      GTModelTypeGeoKey: 2,
      GeographicTypeGeoKey: 4_326,
      ModelPixelScale: [1e-5, 1e-5, 0],
      ModelTiepoint: [0, 0, 0, lon, lat, 0],
    });
    const { dsm, origin } = await readElevation(path);
    // 1e-5 degrees are 1.11 m to the north and 0.68 m to the east at 52.6 degrees.
    // The smaller one is the cell; the grid holds all of the raster and less than a cell more.
    expect(dsm.cellM).toBeCloseTo(0.678, 2);
    expect(Math.abs(dsm.width - SIZE)).toBeLessThanOrEqual(1);
    expect(Math.abs(dsm.height - (SIZE * 1.1128) / dsm.cellM)).toBeLessThanOrEqual(1.5);
    expect(origin.heightM).toBe(80);
    expect(heightAt(dsm, 0, 0)).toBeCloseTo(0, 3);
  });

  it("a surface from a GeoTIFF without a coordinate system is refused", async () => {
    await expect(readElevation(await writeBare(dir))).rejects.toMatchObject({
      code: "IMAGE_REFUSED",
      message: expect.stringMatching(/names no coordinate system/),
    });
  });

  it("a surface from a GeoTIFF in a system that is not supported is refused by name", async () => {
    const path = await write(tilted(), { ...projected, ProjectedCSTypeGeoKey: 8_441 });
    await expect(readElevation(path)).rejects.toMatchObject({
      code: "IMAGE_REFUSED",
      message: expect.stringMatching(/EPSG:8441, which has the projection "labrd"/),
    });
  });

  it("a surface from a GeoTIFF that is a text file is refused", async () => {
    const path = join(dir, "not.tif");
    await writeFile(path, "hello");
    await expect(readElevation(path)).rejects.toMatchObject({ code: "IMAGE_REFUSED" });
  });

  it("a surface from a GeoTIFF of an orthophoto shows each colour where it lies", async () => {
    const rgb = new Uint8Array(SIZE * SIZE * 3);
    for (let i = 0; i < SIZE * SIZE; i += 1) {
      // West half red, east half green.
      rgb[i * 3 + (i % SIZE < SIZE / 2 ? 0 : 1)] = 200;
    }
    const path = await write(rgb, {
      ...projected,
      SamplesPerPixel: 3,
      BitsPerSample: [8, 8, 8],
      PhotometricInterpretation: 2,
    });
    const [lonDeg = 0, latDeg = 0] = proj4(UTM).inverse([EAST + 20, NORTH - 20]);
    const ortho = await readOrtho(path, { latDeg, lonDeg, heightM: 60 });
    const colourAt = (east: number, north: number) => {
      const column = Math.floor((east - ortho.westM) / ortho.cellM);
      const row = Math.floor((ortho.northM - north) / ortho.cellM);
      return [...ortho.rgba.subarray((row * ortho.width + column) * 4).subarray(0, 4)];
    };
    expect(colourAt(-5, 0)).toEqual([200, 0, 0, 255]);
    expect(colourAt(5, 0)).toEqual([0, 200, 0, 255]);
    // A corner of the box that the turned raster does not reach.
    expect(ortho.rgba[3]).toBe(0);
  });
});

/** A TIFF of one grey pixel without a word on where it lies. */
async function writeBare(dir: string): Promise<string> {
  const entries: readonly (readonly [tag: number, type: number, value: number])[] = [
    [256, 3, 1],
    [257, 3, 1],
    [258, 3, 8],
    [259, 3, 1],
    [262, 3, 1],
    [273, 4, 122],
    [277, 3, 1],
    [278, 3, 1],
    [279, 4, 1],
  ];
  const bytes = Buffer.alloc(123);
  bytes.write("II*\0\x08\0\0\0", "latin1");
  bytes.writeUInt16LE(entries.length, 8);
  for (const [i, [tag, type, value]] of entries.entries()) {
    const at = 10 + i * 12;
    bytes.writeUInt16LE(tag, at);
    bytes.writeUInt16LE(type, at + 2);
    bytes.writeUInt32LE(1, at + 4);
    bytes.writeUInt32LE(value, at + 8);
  }
  const path = join(dir, "bare.tif");
  await writeFile(path, bytes);
  return path;
}
