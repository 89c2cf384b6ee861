import type { SurveyRaster } from "./survey-raster.ts";
import { DEEPEST_ZOOM, placeInTile, type TileAddress, zoomOfCell } from "./tile-address.ts";

/**
 * Meshes along an edge of a tile: positions at their corners are exact, those between are straight. At the
 * shallowest zoom that is drawn a mesh is some 200 m wide, over which a projection bends by less than 1 mm.
 */
export const MESHES = 16;
const NODES = MESHES + 1;

/**
 * The coarsest overview, of one block, is drawn down to a 16th of its size; farther out a survey is smaller than
 * 32 pixels. Drawn smaller, single cells of it would be picked out; a larger limit lets it vanish earlier.
 */
const MOST_SHRUNK_ZOOMS = 4;

/** Pixels beside the tile that a relief needs, with one more for the interpolation between cells. */
const MARGIN_CELLS = 3;

/** Part of a raster that a tile shows. */
export interface TilePlan {
  /** Index of the resolution. */
  readonly level: number;
  /** Column and row, in cells of the level from its outer edge, at the corners of the meshes, row by row. */
  readonly nodes: Float64Array;
  /** Cells of the level that are needed. */
  readonly window: CellWindow;
  /** Blocks that they lie in. */
  readonly blocks: readonly BlockPlace[];
}

export interface CellWindow {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

interface BlockPlace {
  readonly column: number;
  readonly row: number;
  /** Bytes in the file. */
  readonly offset: number;
  readonly length: number;
}

/** Zooms that a raster has tiles of. */
export interface Zooms {
  readonly least: number;
  readonly most: number;
}

/** What a tile needs of a raster, at one of its zooms; `undefined`: the tile lies beside it. */
export function planTile(raster: SurveyRaster, address: TileAddress): TilePlan | undefined {
  const nodes = new Float64Array(NODES * NODES * 2);
  for (let row = 0, k = 0; row < NODES; row += 1) {
    for (let column = 0; column < NODES; column += 1, k += 2) {
      const [lonDeg, latDeg] = placeInTile(address, column / MESHES, row / MESHES);
      const [c, r] = raster.toPixel(...raster.system.fromGeodetic(lonDeg, latDeg));
      nodes[k] = c;
      nodes[k + 1] = r;
    }
  }
  if (nodes.some((value) => !Number.isFinite(value))) return undefined;
  const level = levelFor(raster, nodes, address.size);
  const chosen = raster.levels[level];
  if (chosen === undefined) return undefined;
  for (let i = 0; i < nodes.length; i += 1) nodes[i] = (nodes[i] ?? 0) / 2 ** level;
  const columns = rangeOf(nodes, 0, chosen.width);
  const rows = rangeOf(nodes, 1, chosen.height);
  if (columns === undefined || rows === undefined) return undefined;
  const [left, right] = columns;
  const [top, bottom] = rows;
  const window = { left, top, width: right - left, height: bottom - top };
  return { level, nodes, window, blocks: blocksOf(raster, level, window) };
}

/** From where all of a raster is a spot to where each of its cells is a pixel of a tile of 256, or larger. */
export function zoomsOf({ levels, pixelM, extent }: SurveyRaster): Zooms {
  const middleDeg = (extent.southDeg + extent.northDeg) / 2;
  const coarsest = zoomOfCell(pixelM * 2 ** (levels.length - 1), middleDeg);
  return {
    least: Math.max(0, Math.floor(coarsest) - MOST_SHRUNK_ZOOMS),
    most: Math.min(DEEPEST_ZOOM, Math.ceil(zoomOfCell(pixelM, middleDeg))),
  };
}

/** The level whose cells are nearest in size to the tile's pixels. */
function levelFor({ levels }: SurveyRaster, nodes: Float64Array, size: number): number {
  const at = (row: number, column: number): readonly [number, number] => {
    const k = (row * NODES + column) * 2;
    return [nodes[k] ?? 0, nodes[k + 1] ?? 0];
  };
  const [c0, r0] = at(0, 0);
  const [c1, r1] = at(MESHES, MESHES);
  const cellsAPixel = Math.hypot(c1 - c0, r1 - r0) / (Math.SQRT2 * size);
  return Math.min(levels.length - 1, Math.max(0, Math.round(Math.log2(cellsAPixel))));
}

/** First and last cell (exclusive) that the nodes span, inside of the raster; `undefined`: they lie beside it. */
function rangeOf(
  nodes: Float64Array,
  axis: 0 | 1,
  cells: number,
): readonly [number, number] | undefined {
  let [least, most] = [Infinity, -Infinity];
  for (let k = axis; k < nodes.length; k += 2) {
    const value = nodes[k] ?? 0;
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  if (most <= 0 || least >= cells) return undefined;
  const first = Math.max(0, Math.floor(least) - MARGIN_CELLS);
  const last = Math.min(cells, Math.ceil(most) + MARGIN_CELLS);
  return [first, last];
}

function blocksOf(
  { levels, blockSize }: SurveyRaster,
  level: number,
  { left, top, width, height }: CellWindow,
): BlockPlace[] {
  const { width: cells = 0, offsets = [], lengths = [] } = levels[level] ?? {};
  const across = Math.ceil(cells / blockSize);
  const found: BlockPlace[] = [];
  const lastRow = Math.floor((top + height - 1) / blockSize);
  const lastColumn = Math.floor((left + width - 1) / blockSize);
  for (let row = Math.floor(top / blockSize); row <= lastRow; row += 1) {
    for (let column = Math.floor(left / blockSize); column <= lastColumn; column += 1) {
      const i = row * across + column;
      found.push({ column, row, offset: offsets[i] ?? 0, length: lengths[i] ?? 0 });
    }
  }
  return found;
}
