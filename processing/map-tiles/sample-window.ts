import { heightIn } from "../grid/elevation-at.ts";
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
  const surface = { width, height, elevationM: cells };
  const heights = new Float32Array(side * side);
  const { columns, rows } = placesOf(mesh, border);
  for (let k = 0; k < heights.length; k += 1) {
    heights[k] = heightIn(surface, columns[k] ?? -1, rows[k] ?? -1);
  }
  return heights;
}

/** Colours at the middles of a tile's pixels: straight between the four cells around, by their alpha. */
export function sampleColours(cells: Uint8Array, mesh: TileMesh): Uint8Array {
  const { width, height } = mesh.window;
  const rgba = new Uint8Array(mesh.size * mesh.size * 4);
  const { columns, rows } = placesOf(mesh, 0);
  for (let k = 0; k < columns.length; k += 1) {
    const left = Math.floor((columns[k] ?? 0) - 0.5);
    const top = Math.floor((rows[k] ?? 0) - 0.5);
    if (left < -1 || left >= width || top < -1 || top >= height) continue;
    const right = (columns[k] ?? 0) - 0.5 - left;
    const down = (rows[k] ?? 0) - 0.5 - top;
    let red = 0;
    let green = 0;
    let blue = 0;
    let alpha = 0;
    for (let dy = 0; dy < 2; dy += 1) {
      const y = top + dy;
      if (y < 0 || y >= height) continue;
      for (let dx = 0; dx < 2; dx += 1) {
        const x = left + dx;
        if (x < 0 || x >= width) continue;
        const at = (y * width + x) * 4;
        const share = (dy === 0 ? 1 - down : down) * (dx === 0 ? 1 - right : right);
        const weight = share * (cells[at + 3] ?? 0);
        red += weight * (cells[at] ?? 0);
        green += weight * (cells[at + 1] ?? 0);
        blue += weight * (cells[at + 2] ?? 0);
        alpha += weight;
      }
    }
    if (alpha === 0) continue;
    rgba[k * 4] = red / alpha + 0.5;
    rgba[k * 4 + 1] = green / alpha + 0.5;
    rgba[k * 4 + 2] = blue / alpha + 0.5;
    rgba[k * 4 + 3] = alpha + 0.5;
  }
  return rgba;
}

/** Where the middle of each pixel lies in the window, in cells from its outer edge. Row by row, with the border. */
function placesOf(
  { nodes, window, size }: TileMesh,
  border: number,
): { readonly columns: Float64Array; readonly rows: Float64Array } {
  const side = size + 2 * border;
  const columns = new Float64Array(side * side);
  const rows = new Float64Array(side * side);
  // The corners of the meshes that a row of pixels goes through, at its height.
  const across = new Float64Array(NODES);
  const along = new Float64Array(NODES);
  for (let y = -border, k = 0; y < size + border; y += 1) {
    const v = ((y + 0.5) / size) * MESHES;
    const j = Math.min(MESHES - 1, Math.max(0, Math.floor(v)));
    const down = v - j;
    for (let i = 0; i < NODES; i += 1) {
      const at = (j * NODES + i) * 2;
      const below = at + NODES * 2;
      across[i] = (1 - down) * (nodes[at] ?? 0) + down * (nodes[below] ?? 0) - window.left;
      along[i] = (1 - down) * (nodes[at + 1] ?? 0) + down * (nodes[below + 1] ?? 0) - window.top;
    }
    for (let x = -border; x < size + border; x += 1, k += 1) {
      const u = ((x + 0.5) / size) * MESHES;
      const i = Math.min(MESHES - 1, Math.max(0, Math.floor(u)));
      const right = u - i;
      columns[k] = (1 - right) * (across[i] ?? 0) + right * (across[i + 1] ?? 0);
      rows[k] = (1 - right) * (along[i] ?? 0) + right * (along[i + 1] ?? 0);
    }
  }
  return { columns, rows };
}
