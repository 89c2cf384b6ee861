import { fromArrayBuffer, type GeoTIFFImage } from "geotiff";
import { describe, expect, it } from "vitest";
import { halve, type Raster } from "../../../../processing/photogrammetry/products/cog/raster.ts";
import { writeCog } from "../../../../processing/photogrammetry/products/cog/write-cog.ts";
import type { MapFrame } from "../../../../processing/photogrammetry/products/map/map-grid.ts";
import { seededRandom } from "../../../support/seeded-random.ts";

const [width, height, tile] = [150, 100, 64];
const frame: MapFrame = {
  unitM: 1,
  epsg: 32_630,
  projection: "WGS 84 / UTM zone 30N",
  westM: 699_858.64,
  northM: 5_709_393.56,
  cellM: 0.13,
  width,
  height,
};
const metadata = { items: { DATUM: 'Höhe < 3 & "so"' }, bands: ["Height"], unit: "m" };

async function open(file: Uint8Array) {
  const bytes = file.slice().buffer;
  return fromArrayBuffer(bytes);
}

async function pixels(image: GeoTIFFImage): Promise<ArrayLike<number>> {
  const values = await image.readRasters({ interleave: true });
  return values as unknown as ArrayLike<number>;
}

describe("GeoTIFF of heights", () => {
  const random = seededRandom(5);
  const values = Float32Array.from({ length: width * height }, () => 30 + random() * 8);
  for (let i = 0; i < values.length; i += 7) values[i] = Number.NaN;
  // A block of 4 x 4 without data stays a hole in the first overview and in the second.
  for (let row = 8; row < 12; row += 1) values.fill(Number.NaN, row * width + 20, row * width + 24);
  const raster: Raster = { kind: "elevation", width, height, values };
  const file = writeCog(raster, frame, metadata, tile);

  it("is read back exactly by geotiff.js, NaN as -9999, at every resolution", async () => {
    const tiff = await open(file);
    expect(await tiff.getImageCount()).toBe(3);
    let level: Raster = raster;
    for (let i = 0; i < 3; i += 1) {
      const image = await tiff.getImage(i);
      expect([image.getWidth(), image.getHeight()]).toEqual([level.width, level.height]);
      const expected = Array.from(level.values, (z) => (Number.isNaN(z) ? -9999 : z));
      expect(Array.from(await pixels(image))).toEqual(expected);
      expect(image.getGDALNoData()).toBe(-9999);
      level = halve(level);
    }
  });

  it("a GeoTIFF of heights lies where the frame says, in its zone", async () => {
    const image = await (await open(file)).getImage();
    expect(image.getOrigin().slice(0, 2)).toEqual([frame.westM, frame.northM]);
    expect(image.getResolution().slice(0, 2)).toEqual([frame.cellM, -frame.cellM]);
    expect(image.getGeoKeys()).toMatchObject({
      GTModelTypeGeoKey: 1,
      GTRasterTypeGeoKey: 1,
      ProjectedCSTypeGeoKey: 32_630,
      ProjLinearUnitsGeoKey: 9001,
    });
  });

  it("a GeoTIFF of heights keeps directories before tiles, small overviews before large ones, as its header promises", async () => {
    const text = Buffer.from(file.subarray(8, 240)).toString("latin1");
    const size = Number(/^GDAL_STRUCTURAL_METADATA_SIZE=(\d{6}) bytes\n/.exec(text)?.[1]);
    expect(text.slice(43, 43 + size).endsWith("KNOWN_INCOMPATIBLE_EDITION=NO\n ")).toBe(true);
    const tiff = await open(file);
    const view = new DataView(file.buffer);
    let below = file.length;
    for (let i = 0; i < 3; i += 1) {
      const image = await tiff.getImage(i);
      const offsets = await tagOf(image, "TileOffsets");
      const counts = await tagOf(image, "TileByteCounts");
      expect(offsets).toHaveLength(
        Math.ceil(image.getWidth() / tile) * Math.ceil(image.getHeight() / tile),
      );
      expect(offsets).toEqual(offsets.toSorted((a, b) => a - b));
      expect(offsets.at(-1)).toBeLessThan(below);
      below = offsets[0] ?? 0;
      for (const [k, offset] of offsets.entries()) {
        const count = counts[k] ?? 0;
        expect(view.getUint32(offset - 4, true)).toBe(count);
        expect(view.getUint32(offset + count, true)).toBe(view.getUint32(offset + count - 4, true));
      }
    }
  });

  it("a GeoTIFF of heights writes the same bytes again, and small rasters as one tile without overviews", async () => {
    expect(Buffer.compare(writeCog(raster, frame, metadata, tile), file)).toBe(0);
    const small = writeCog(
      { ...raster, width: 3, height: 2, values: values.slice(0, 6) },
      frame,
      metadata,
    );
    expect(await (await open(small)).getImageCount()).toBe(1);
  });
});

async function tagOf(image: GeoTIFFImage, tag: string): Promise<number[]> {
  const values: unknown = await image.fileDirectory.loadValue(tag as never);
  return Array.from(values as ArrayLike<number>);
}

describe("GeoTIFF of colours", () => {
  it("a GeoTIFF of colours is read back exactly with its alpha, and its overview ignores what was not seen", async () => {
    const random = seededRandom(6);
    const values = Uint8Array.from({ length: width * height * 4 }, () => random() * 256);
    for (let i = 3; i < values.length; i += 4) values[i] = 255;
    // Upper left 2 x 2: one seen cell of (10, 20, 30) among three unseen ones.
    for (const at of [0, 4, width * 4, width * 4 + 4]) values.fill(0, at, at + 4);
    values.set([10, 20, 30, 255], 4);
    const raster: Raster = { kind: "colour", width, height, values };
    const file = writeCog(raster, frame, { items: {}, bands: [], unit: undefined }, tile);
    const tiff = await open(file);
    expect(Array.from(await pixels(await tiff.getImage(0)))).toEqual(Array.from(values));
    const overview = await pixels(await tiff.getImage(1));
    expect(Array.from(overview).slice(0, 4)).toEqual([10, 20, 30, 255]);
  });
});
