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
  eachRow(mesh, border, (row, columns, rows) => {
    for (let x = 0, k = row * side; x < side; x += 1, k += 1) {
      const across = columns[x] ?? -1;
      const down = rows[x] ?? -1;
      const left = Math.floor(across - 0.5);
      const top = Math.floor(down - 0.5);
      if (left >= 0 && top >= 0 && left + 1 < width && top + 1 < height) {
        // Nearly every pixel: all four cells around are there and have a height. The same steps as in `heightIn`.
        const right = across - 0.5 - left;
        const below = down - 0.5 - top;
        const northWest = top * width + left;
        const nw = (1 - right) * (1 - below);
        const ne = right * (1 - below);
        const sw = (1 - right) * below;
        const se = right * below;
        const sum =
          nw * (cells[northWest] ?? 0) +
          ne * (cells[northWest + 1] ?? 0) +
          sw * (cells[northWest + width] ?? 0) +
          se * (cells[northWest + width + 1] ?? 0);
        // NaN where one of them has none.
        if (!Number.isNaN(sum)) {
          heights[k] = sum / (nw + ne + sw + se);
          continue;
        }
      }
      heights[k] = heightIn(surface, across, down);
    }
  });
  return heights;
}

/** Colours at the middles of a tile's pixels: straight between the four cells around, by their alpha. */
export function sampleColours(cells: Uint8Array, mesh: TileMesh): Uint8Array {
  const { width, height } = mesh.window;
  const rgba = new Uint8Array(mesh.size * mesh.size * 4);
  eachRow(mesh, 0, (row, columns, rows) => {
    for (let column = 0, k = row * mesh.size; column < mesh.size; column += 1, k += 1) {
      const left = Math.floor((columns[column] ?? 0) - 0.5);
      const top = Math.floor((rows[column] ?? 0) - 0.5);
      if (left < -1 || left >= width || top < -1 || top >= height) continue;
      const right = (columns[column] ?? 0) - 0.5 - left;
      const down = (rows[column] ?? 0) - 0.5 - top;
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
  });
  return rgba;
}

/**
 * Where the middle of each pixel lies in the window, in cells from its outer edge, a row at a time, with the border:
 * places of a whole tile of 512 pixels are 4 MB, which are slower to write and read than to work out.
 * @param use gets arrays that the next row overwrites
 */
function eachRow(
  { nodes, window, size }: TileMesh,
  border: number,
  use: (row: number, columns: Float64Array, rows: Float64Array) => void,
): void {
  const side = size + 2 * border;
  const columns = new Float64Array(side);
  const rows = new Float64Array(side);
  // The corners of the meshes that a row of pixels goes through, at its height.
  const across = new Float64Array(NODES);
  const along = new Float64Array(NODES);
  for (let row = 0; row < side; row += 1) {
    const v = ((row - border + 0.5) / size) * MESHES;
    const j = Math.min(MESHES - 1, Math.max(0, Math.floor(v)));
    const down = v - j;
    for (let i = 0; i < NODES; i += 1) {
      const at = (j * NODES + i) * 2;
      const below = at + NODES * 2;
      across[i] = (1 - down) * (nodes[at] ?? 0) + down * (nodes[below] ?? 0) - window.left;
      along[i] = (1 - down) * (nodes[at + 1] ?? 0) + down * (nodes[below + 1] ?? 0) - window.top;
    }
    for (let column = 0; column < side; column += 1) {
      const u = ((column - border + 0.5) / size) * MESHES;
      const i = Math.min(MESHES - 1, Math.max(0, Math.floor(u)));
      const right = u - i;
      columns[column] = (1 - right) * (across[i] ?? 0) + right * (across[i + 1] ?? 0);
      rows[column] = (1 - right) * (along[i] ?? 0) + right * (along[i + 1] ?? 0);
    }
    use(row, columns, rows);
  }
}
