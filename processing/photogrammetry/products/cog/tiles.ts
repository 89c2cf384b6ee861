import { deflateSync } from "node:zlib";
import { differenceRows, predictFloats } from "./predictors.ts";
import type { Raster } from "./raster.ts";

/** Value that means no data in the file: all GIS programs know it, not all of them know NaN. */
export const NODATA = -9999;

/** 6 is zlib's own balance; 9 takes three times as long for 1 % less. */
const DEFLATE_LEVEL = 6;

/** Tiles of a raster, compressed, row by row; those at the right and lower edge are filled with no data. */
export function encodeTiles(raster: Raster, tileSize: number): Uint8Array[] {
  const tiles: Uint8Array[] = [];
  for (let row = 0; row < raster.height; row += tileSize) {
    for (let col = 0; col < raster.width; col += tileSize) {
      const bytes =
        raster.kind === "elevation"
          ? predictFloats(elevationTile(raster, col, row, tileSize), tileSize)
          : colourTile(raster, col, row, tileSize);
      tiles.push(deflateSync(bytes, { level: DEFLATE_LEVEL }));
    }
  }
  return tiles;
}

function elevationTile(
  { width, height, values }: Extract<Raster, { kind: "elevation" }>,
  left: number,
  top: number,
  size: number,
): Float32Array {
  const tile = new Float32Array(size * size).fill(NODATA);
  const columns = Math.min(size, width - left);
  for (let row = 0; row < Math.min(size, height - top); row += 1) {
    for (let col = 0; col < columns; col += 1) {
      const value = values[(top + row) * width + left + col] ?? Number.NaN;
      if (!Number.isNaN(value)) tile[row * size + col] = value;
    }
  }
  return tile;
}

function colourTile(
  { width, height, values }: Extract<Raster, { kind: "colour" }>,
  left: number,
  top: number,
  size: number,
): Uint8Array {
  const tile = new Uint8Array(size * size * 4);
  const columns = Math.min(size, width - left);
  for (let row = 0; row < Math.min(size, height - top); row += 1) {
    const from = ((top + row) * width + left) * 4;
    tile.set(values.subarray(from, from + columns * 4), row * size * 4);
  }
  differenceRows(tile, size * 4, 4);
  return tile;
}
