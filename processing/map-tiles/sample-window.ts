import { type CellWindow, MESHES } from "./plan-tile.ts";
import type { BlockFormat, BlockValues } from "./read-block.ts";

/** A block with its pixels. */
export interface ReadBlock {
  readonly column: number;
  readonly row: number;
  readonly values: BlockValues;
}

/** Where the pixels of a tile lie in the cells of a level. */
export interface TileMesh {
  /** As in `TilePlan`. */
  readonly nodes: Float64Array;
  readonly window: CellWindow;
  /** Pixels of the tile along an edge. */
  readonly size: number;
}

const NODES = MESHES + 1;

/** The cells of a window out of its blocks, row by row. */
export function joinBlocks<Values extends BlockValues>(
  target: Values,
  channels: number,
  { left, top, width, height }: CellWindow,
  blocks: readonly ReadBlock[],
  { blockSize }: BlockFormat,
): Values {
  for (const { column, row, values } of blocks) {
    const from = Math.max(left, column * blockSize);
    const to = Math.min(left + width, (column + 1) * blockSize);
    const last = Math.min(top + height, (row + 1) * blockSize);
    for (let y = Math.max(top, row * blockSize); y < last; y += 1) {
      const start = ((y - row * blockSize) * blockSize + from - column * blockSize) * channels;
      const part = values.subarray(start, start + (to - from) * channels);
      target.set(part as never, ((y - top) * width + from - left) * channels);
    }
  }
  return target;
}

/**
 * Heights at the middles of a tile's pixels, and of `border` pixels beside it: straight between the four cells
 * around, of those that have a height. NaN where the cell that the pixel lies in has none.
 */
export function sampleHeights(cells: Float32Array, mesh: TileMesh, border: number): Float32Array {
  const { width, height } = mesh.window;
  const side = mesh.size + 2 * border;
  const heights = new Float32Array(side * side).fill(Number.NaN);
  eachPixel(mesh, border, (k, column, row) => {
    const nearest = cells[Math.floor(row) * width + Math.floor(column)] ?? Number.NaN;
    if (!(column >= 0 && column < width && row >= 0 && row < height) || Number.isNaN(nearest)) {
      return;
    }
    const [c, r] = [column - 0.5, row - 0.5];
    const [left, top] = [Math.floor(c), Math.floor(r)];
    let [sum, weights] = [0, 0];
    for (let dy = 0; dy < 2; dy += 1) {
      const y = Math.min(height - 1, Math.max(0, top + dy));
      const weightY = dy === 0 ? 1 - (r - top) : r - top;
      for (let dx = 0; dx < 2; dx += 1) {
        const x = Math.min(width - 1, Math.max(0, left + dx));
        const z = cells[y * width + x] ?? Number.NaN;
        if (Number.isNaN(z)) continue;
        const weight = weightY * (dx === 0 ? 1 - (c - left) : c - left);
        sum += weight * z;
        weights += weight;
      }
    }
    heights[k] = sum / weights;
  });
  return heights;
}

/** Colours at the middles of a tile's pixels: straight between the four cells around, by their alpha. */
export function sampleColours(cells: Uint8Array, mesh: TileMesh): Uint8Array {
  const { width, height } = mesh.window;
  const rgba = new Uint8Array(mesh.size * mesh.size * 4);
  eachPixel(mesh, 0, (k, column, row) => {
    const [c, r] = [column - 0.5, row - 0.5];
    const [left, top] = [Math.floor(c), Math.floor(r)];
    let [red, green, blue, alpha] = [0, 0, 0, 0];
    for (let dy = 0; dy < 2; dy += 1) {
      const y = top + dy;
      if (y < 0 || y >= height) continue;
      const weightY = dy === 0 ? 1 - (r - top) : r - top;
      for (let dx = 0; dx < 2; dx += 1) {
        const x = left + dx;
        if (x < 0 || x >= width) continue;
        const at = (y * width + x) * 4;
        const weight = weightY * (dx === 0 ? 1 - (c - left) : c - left) * (cells[at + 3] ?? 0);
        red += weight * (cells[at] ?? 0);
        green += weight * (cells[at + 1] ?? 0);
        blue += weight * (cells[at + 2] ?? 0);
        alpha += weight;
      }
    }
    if (alpha === 0) return;
    rgba[k * 4] = Math.round(red / alpha);
    rgba[k * 4 + 1] = Math.round(green / alpha);
    rgba[k * 4 + 2] = Math.round(blue / alpha);
    rgba[k * 4 + 3] = Math.round(alpha);
  });
  return rgba;
}

/** Calls `use` with each pixel's index and where its middle lies in the window, in cells from its outer edge. */
function eachPixel(
  { nodes, window, size }: TileMesh,
  border: number,
  use: (index: number, column: number, row: number) => void,
): void {
  let index = 0;
  for (let y = -border; y < size + border; y += 1) {
    const v = ((y + 0.5) / size) * MESHES;
    const j = Math.min(MESHES - 1, Math.max(0, Math.floor(v)));
    const down = v - j;
    for (let x = -border; x < size + border; x += 1, index += 1) {
      const u = ((x + 0.5) / size) * MESHES;
      const i = Math.min(MESHES - 1, Math.max(0, Math.floor(u)));
      const right = u - i;
      const k = (j * NODES + i) * 2;
      const below = k + NODES * 2;
      const at = (axis: 0 | 1): number =>
        (1 - down) * ((1 - right) * (nodes[k + axis] ?? 0) + right * (nodes[k + 2 + axis] ?? 0)) +
        down * ((1 - right) * (nodes[below + axis] ?? 0) + right * (nodes[below + 2 + axis] ?? 0));
      use(index, at(0) - window.left, at(1) - window.top);
    }
  }
}
