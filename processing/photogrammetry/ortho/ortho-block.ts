import { resampleElevation } from "../../grid/elevation-at.ts";
import type { GridFrame, HeightField } from "../../grid/elevation-grid.ts";
import {
  type BlendedBlock,
  type BlendedView,
  blendedView,
  blendView,
  kernel,
  steepness,
  VIEW_BYTES,
} from "./blend-view.ts";
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
 * What no view sees gets alpha 0. The parts of images stay in the kernel's memory while the thread has no other
 * painter at work.
 */
export function createOrthoPainter(
  surface: HeightField,
  views: readonly OrthoView[],
  frame: GridFrame,
): OrthoPainter {
  const blended = views.map(blendedView);
  return {
    paint(block, rgba) {
      const place = blockFrame(frame, block);
      const heights = resampleElevation(surface, place);
      const cells = heights.length;
      if (cells > MOST_CELLS)
        throw new RangeError("a block is larger than blocks of an orthophoto");
      const at = takeMemory(blended);
      kernel.f32(at.heights, cells).set(heights);
      kernel.f32(at.sums, cells * 4).fill(0);
      blendViews(rankViews(blended, place, heights), { ...at, frame: place });
      kernel.functions.colours(at.sums, cells, at.colours);
      const colours = kernel.u8(at.colours, cells * 4);
      for (let row = 0; row < block.height; row += 1) {
        const from = row * block.width * 4;
        const to = ((block.row + row) * frame.width + block.col) * 4;
        rgba.set(colours.subarray(from, from + block.width * 4), to);
      }
    },
  };
}

const MOST_CELLS = BLOCK_CELLS ** 2;

/** Whose parts are in the kernel's memory, and where blocks lie there. */
let owner: { readonly views: readonly BlendedView[]; readonly at: BlockAddresses } | undefined;

type BlockAddresses = ReturnType<typeof layOut>;

function layOut() {
  return kernel.layout({
    // One height more than a block has is read.
    heights: MOST_CELLS * 4 + 16,
    sums: MOST_CELLS * 16,
    colours: MOST_CELLS * 4,
    view: VIEW_BYTES,
  });
}

/** Where a block of these views lies in the kernel's memory, which it takes from the painter before. */
function takeMemory(views: readonly BlendedView[]): BlockAddresses {
  if (owner?.views !== views) {
    for (const view of views) view.part = undefined;
    owner = { views, at: layOut() };
  }
  return owner.at;
}

/** Adds views to a block, the best first, until no cell that has a height is without colour. */
function blendViews(ranked: readonly BlendedView[], block: BlendedBlock): void {
  const cells = block.frame.width * block.frame.height;
  for (const [rank, view] of ranked.entries()) {
    const onlyGaps = rank >= BLENDED_VIEWS;
    if (onlyGaps && kernel.functions.hasGap(block.heights, block.sums, cells) === 0) return;
    blendView(view, block, onlyGaps);
  }
}

/** Views that may see the block, steepest first. */
function rankViews(
  views: readonly BlendedView[],
  frame: GridFrame,
  heights: Float32Array,
): readonly BlendedView[] {
  const z = meanKnown(heights);
  if (Number.isNaN(z)) return [];
  return views
    .map((view) => ({ view, steepness: steepness(view, frame, z) }))
    .filter((ranked) => ranked.steepness > 0)
    .sort((a, b) => b.steepness - a.steepness)
    .map(({ view }) => view);
}

/** Mean of the heights that are known; NaN where none is. */
function meanKnown(heights: Float32Array): number {
  let sum = 0;
  let count = 0;
  for (let i = 0; i < heights.length; i += 1) {
    const height = heights[i] ?? Number.NaN;
    if (Number.isNaN(height)) continue;
    sum += height;
    count += 1;
  }
  return sum / count;
}
