import { resampleElevation } from "../../grid/elevation-at.ts";
import type { GridFrame, HeightField } from "../../grid/elevation-grid.ts";
import { createViewBlender, type ViewBlender } from "./blend-view.ts";
import type { OrthoView } from "./ortho-view.ts";

/** A rectangle of the orthophoto's cells; blocks do not overlap and can be worked on in any order. */
export interface OrthoBlock {
  readonly col: number;
  readonly row: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Edge of a block, cells: small enough that sums stay in the cache and its views are the same all over. Larger
 * breaks either, smaller chooses views more often.
 */
const BLOCK_CELLS = 64;
/**
 * Views that are blended where all of them see the ground; more = smoother seams, softer picture. The
 * fifth best has less than 2 % of the weight at 75 % overlap.
 */
const BLENDED_VIEWS = 4;

/** Raster of the orthophoto over the same ground as the surface. */
export function orthoFrame(surface: GridFrame, cellM: number): GridFrame {
  const { westM, northM } = surface;
  // The margin keeps a whole number of cells whole in spite of rounding.
  const cells = (surfaceCells: number) =>
    Math.max(1, Math.ceil((surfaceCells * surface.cellM) / cellM - 1e-9));
  return { westM, northM, cellM, width: cells(surface.width), height: cells(surface.height) };
}

/** The blocks of an orthophoto, row by row. */
export function orthoBlocks(
  frame: Pick<GridFrame, "width" | "height">,
  blockCells = BLOCK_CELLS,
): OrthoBlock[] {
  const blocks: OrthoBlock[] = [];
  for (let row = 0; row < frame.height; row += blockCells) {
    for (let col = 0; col < frame.width; col += blockCells) {
      blocks.push({
        col,
        row,
        width: Math.min(blockCells, frame.width - col),
        height: Math.min(blockCells, frame.height - row),
      });
    }
  }
  return blocks;
}

/**
 * Edge of a region, cells: what is read of the images for it is used by all its blocks. Larger regions take more
 * memory at once, smaller ones read more twice (the margins of 8 pixels around them).
 */
const REGION_CELLS = 4 * BLOCK_CELLS;

/** Parts of an orthophoto that are painted one by one, with pixels of their own, row by row. */
export function orthoRegions(frame: GridFrame): OrthoBlock[] {
  return orthoBlocks(frame, REGION_CELLS);
}

/** The blocks of a region. */
export function blocksOf(region: OrthoBlock): OrthoBlock[] {
  return orthoBlocks(region).map((block) => ({
    ...block,
    col: block.col + region.col,
    row: block.row + region.row,
  }));
}

/** Where the cells of a block lie. */
export function blockFrame(frame: GridFrame, block: OrthoBlock): GridFrame {
  return {
    westM: frame.westM + block.col * frame.cellM,
    northM: frame.northM - block.row * frame.cellM,
    cellM: frame.cellM,
    width: block.width,
    height: block.height,
  };
}

/** Lays images over a surface, block by block. */
export interface OrthoPainter {
  /** Colours the block's cells in `rgba` (the whole orthophoto, four bytes a cell); touches no other. */
  paint(block: OrthoBlock, rgba: Uint8Array): void;
}

/**
 * A painter for the views of a survey. Per block the views that look down most steeply are blended,
 * each cell by the views that see it; cells that none of these sees are given to the next best views.
 * What no view sees gets alpha 0.
 */
export function createOrthoPainter(
  surface: HeightField,
  views: readonly OrthoView[],
  frame: GridFrame,
): OrthoPainter {
  const blenders = views.map(createViewBlender);
  return {
    paint(block, rgba) {
      const place = blockFrame(frame, block);
      const heights = resampleElevation(surface, place);
      const sums = new Float32Array(heights.length * 4);
      for (const [rank, blender] of rankViews(blenders, place, heights).entries()) {
        if (rank < BLENDED_VIEWS) blender.blend(place, heights, sums, false);
        else if (hasGap(heights, sums)) blender.blend(place, heights, sums, true);
        else break;
      }
      writeBlock(sums, block, frame.width, rgba);
    },
  };
}

/** Views that may see the block, steepest first. */
function rankViews(
  blenders: readonly ViewBlender[],
  frame: GridFrame,
  heights: Float32Array,
): ViewBlender[] {
  let sum = 0;
  let count = 0;
  for (let i = 0; i < heights.length; i += 1) {
    const height = heights[i] ?? Number.NaN;
    if (Number.isNaN(height)) continue;
    sum += height;
    count += 1;
  }
  if (count === 0) return [];
  const z = sum / count;
  return blenders
    .map((blender) => ({ blender, steepness: blender.steepness(frame, z) }))
    .filter(({ steepness }) => steepness > 0)
    .sort((a, b) => b.steepness - a.steepness)
    .map(({ blender }) => blender);
}

function hasGap(heights: Float32Array, sums: Float32Array): boolean {
  for (let i = 0; i < heights.length; i += 1) {
    if (sums[i * 4 + 3] === 0 && !Number.isNaN(heights[i] ?? 0)) return true;
  }
  return false;
}

function writeBlock(sums: Float32Array, block: OrthoBlock, stride: number, rgba: Uint8Array): void {
  for (let row = 0; row < block.height; row += 1) {
    for (let col = 0; col < block.width; col += 1) {
      const from = (row * block.width + col) * 4;
      const to = ((block.row + row) * stride + block.col + col) * 4;
      const weight = sums[from + 3] ?? 0;
      if (weight === 0) {
        rgba.fill(0, to, to + 4);
        continue;
      }
      const scale = 1 / weight;
      for (let c = 0; c < 3; c += 1) {
        rgba[to + c] = Math.min(255, (sums[from + c] ?? 0) * scale + 0.5);
      }
      rgba[to + 3] = 255;
    }
  }
}
