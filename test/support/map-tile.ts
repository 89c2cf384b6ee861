import sharp from "sharp";
import { drawTile, type HeightRange } from "../../processing/map-tiles/draw-tile.ts";
import { planTile } from "../../processing/map-tiles/plan-tile.ts";
import { readSurveyRaster, type SurveyRaster } from "../../processing/map-tiles/survey-raster.ts";
import { groundPixelM, type TileAddress } from "../../processing/map-tiles/tile-address.ts";
import type { TileLayer } from "../../processing/map-tiles/tile-layers.ts";
import type { Raster } from "../../processing/photogrammetry/products/cog/raster.ts";
import { writeCog } from "../../processing/photogrammetry/products/cog/write-cog.ts";

/** A map of a surface or orthophoto, whose cells are functions of a place on the map. */
export interface MadeMap {
  readonly epsg: number;
  readonly unitM?: number;
  /** Upper left corner and cell, metres of the map. */
  readonly westM: number;
  readonly northM: number;
  readonly cellM: number;
  readonly width: number;
  readonly height: number;
}

/** A Cloud Optimized GeoTIFF as surveys leave it; `heightAt` yields NaN where there is none. */
export function surfaceFile(
  map: MadeMap,
  heightAt: (eastM: number, northM: number) => number,
): Uint8Array {
  const values = new Float32Array(map.width * map.height);
  eachCell(map, (i, east, north) => {
    values[i] = heightAt(east, north);
  });
  return cog(map, { kind: "elevation", width: map.width, height: map.height, values });
}

/** The same of colours: red, green, blue, alpha. */
export function orthoFile(
  map: MadeMap,
  colourAt: (eastM: number, northM: number) => readonly [number, number, number, number],
): Uint8Array {
  const values = new Uint8Array(map.width * map.height * 4);
  eachCell(map, (i, east, north) => values.set(colourAt(east, north), i * 4));
  return cog(map, { kind: "colour", width: map.width, height: map.height, values });
}

function eachCell(
  { westM, northM, cellM, width, height }: MadeMap,
  use: (index: number, eastM: number, northM: number) => void,
): void {
  for (let row = 0, i = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1, i += 1) {
      use(i, westM + (column + 0.5) * cellM, northM - (row + 0.5) * cellM);
    }
  }
}

function cog({ unitM = 1, ...map }: MadeMap, raster: Raster): Uint8Array {
  const bands = raster.kind === "colour" ? ["red", "green", "blue", "alpha"] : ["height"];
  const unit = raster.kind === "colour" ? undefined : "m";
  const metadata = { items: { SOFTWARE: "Plumbline" }, bands, unit };
  return writeCog(raster, { ...map, unitM, projection: `EPSG:${map.epsg}` }, metadata);
}

export const openMap = (file: Uint8Array): Promise<SurveyRaster> =>
  readSurveyRaster({
    bytes: file.length,
    read: async (offset, length) => file.subarray(offset, offset + length),
  });

/** A tile's pixels, red, green, blue and alpha; `undefined`: the map has none there. */
export async function tilePixels(
  file: Uint8Array,
  address: TileAddress,
  layer: TileLayer,
  range?: HeightRange,
): Promise<Uint8Array | undefined> {
  const raster = await openMap(file);
  const plan = planTile(raster, address);
  if (plan === undefined) return undefined;
  const { nodes, window, level } = plan;
  const webp = await drawTile({
    layer,
    mesh: { nodes, window, size: address.size },
    format: raster,
    blocks: plan.blocks.map(({ column, row, offset, length }) => ({
      ...{ column, row },
      // Maps of two tests may have blocks of one place.
      name: `${blockNames++} ${level}`,
      bytes: file.subarray(offset, offset + length),
    })),
    groundPixelM: groundPixelM(address),
    range,
  });
  return await sharp(webp).ensureAlpha().raw().toBuffer();
}
let blockNames = 0;

/** The height of a pixel of a terrain tile, metres. */
export function terrariumM(pixels: Uint8Array, index: number): number {
  const [red = 0, green = 0, blue = 0] = pixels.subarray(index * 4, index * 4 + 3);
  return red * 256 + green + blue / 256 - 32_768;
}
