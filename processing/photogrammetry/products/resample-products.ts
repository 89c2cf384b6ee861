import { elevationAt } from "../../grid/elevation-at.ts";
import type { HeightField, OrthoGrid } from "../../grid/elevation-grid.ts";
import type { MapGrid, MapPoint } from "./map/map-grid.ts";

/**
 * Heights above the origin's datum on a map raster, metres, bilinear; NaN = no data. Planes come out
 * exact; an edge of one cell is as soft as the raster's own.
 */
export function elevationOnMap(surface: HeightField, grid: MapGrid): Float32Array {
  const { width, height } = grid.frame;
  const heights = new Float32Array(width * height);
  const point: MapPoint = { x: 0, y: 0, lift: 0 };
  for (let row = 0; row < height; row += 1) {
    for (let col = 0; col < width; col += 1) {
      grid.locate(col + 0.5, row + 0.5, point);
      heights[row * width + col] = elevationAt(surface, point.x, point.y) + point.lift;
    }
  }
  return heights;
}

/** Weights of the four neighbours at `f` between the middle two (Catmull-Rom; Keys 1981, a = -0.5). */
function cubicWeights(f: number, out: Float64Array): void {
  out[0] = f * (-0.5 + f * (1 - 0.5 * f));
  out[1] = 1 + f * f * (-2.5 + 1.5 * f);
  out[2] = f * (0.5 + f * (2 - 1.5 * f));
  out[3] = f * f * (-0.5 + 0.5 * f);
}

/**
 * Colours on a map raster, four bytes a cell: bicubic where all sixteen neighbours are seen, which keeps
 * the picture sharp, else the nearest cell. Alpha is the nearest cell's.
 */
export function orthoOnMap(ortho: OrthoGrid, grid: MapGrid): Uint8Array {
  const { width, height } = grid.frame;
  const source = ortho.rgba;
  const rgba = new Uint8Array(width * height * 4);
  const point: MapPoint = { x: 0, y: 0, lift: 0 };
  const across = new Float64Array(4);
  const down = new Float64Array(4);
  for (let row = 0; row < height; row += 1) {
    for (let col = 0; col < width; col += 1) {
      grid.locate(col + 0.5, row + 0.5, point);
      const x = (point.x - ortho.westM) / ortho.cellM;
      const y = (ortho.northM - point.y) / ortho.cellM;
      const nearestCol = Math.floor(x);
      const nearestRow = Math.floor(y);
      if (nearestCol < 0 || nearestRow < 0) continue;
      if (nearestCol >= ortho.width || nearestRow >= ortho.height) continue;
      const nearest = (nearestRow * ortho.width + nearestCol) * 4;
      if (source[nearest + 3] === 0) continue;
      const to = (row * width + col) * 4;
      rgba[to + 3] = 255;
      const left = Math.floor(x - 0.5) - 1;
      const top = Math.floor(y - 0.5) - 1;
      if (!isSeen(ortho, left, top)) {
        for (let c = 0; c < 3; c += 1) rgba[to + c] = source[nearest + c] ?? 0;
        continue;
      }
      cubicWeights(x - 1.5 - left, across);
      cubicWeights(y - 1.5 - top, down);
      const a0 = across[0] ?? 0;
      const a1 = across[1] ?? 0;
      const a2 = across[2] ?? 0;
      const a3 = across[3] ?? 0;
      for (let c = 0; c < 3; c += 1) {
        let sum = 0.5;
        let from = (top * ortho.width + left) * 4 + c;
        for (let j = 0; j < 4; j += 1) {
          const along =
            a0 * (source[from] ?? 0) +
            a1 * (source[from + 4] ?? 0) +
            a2 * (source[from + 8] ?? 0) +
            a3 * (source[from + 12] ?? 0);
          sum += (down[j] ?? 0) * along;
          from += ortho.width * 4;
        }
        rgba[to + c] = sum < 0 ? 0 : sum > 255 ? 255 : sum;
      }
    }
  }
  return rgba;
}

/** Whether all cells of the 4 x 4 from (left, top) on are seen. */
function isSeen({ width, height, rgba }: OrthoGrid, left: number, top: number): boolean {
  if (left < 0 || top < 0 || left + 3 >= width || top + 3 >= height) return false;
  for (let j = 0; j < 4; j += 1) {
    const at = ((top + j) * width + left) * 4 + 3;
    if (rgba[at] === 0 || rgba[at + 4] === 0 || rgba[at + 8] === 0 || rgba[at + 12] === 0) {
      return false;
    }
  }
  return true;
}
