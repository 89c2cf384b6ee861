import type { GridFrame } from "../../grid/elevation-grid.ts";
import { medianOfKnown } from "../../grid/window-median.ts";
import { AGGREGATE_WASM } from "../../wasm/aggregate.wasm.ts";
import { DENSE_WASM } from "../../wasm/dense.wasm.ts";
import { openKernel } from "../../wasm/kernel.ts";
import { COST_STEPS, PAD_COST, UNSEEN_COST } from "./cost.ts";
import { type PickedHeights, pickHeights } from "./pick-heights.ts";
import type { ImageSize, MatchPass, TileInput, TileResult } from "./tile.ts";
import { cameraBlock, cutPiece, type ImagePiece, pieceBounds } from "./tile-camera.ts";

const matcher = openKernel(DENSE_WASM, ["clipMask", "warp", "correlate"]);
const paths = openKernel(AGGREGATE_WASM, ["aggregate", "pathBytes"]);

/** Bits of the mask, one a view. */
const MAX_VIEWS = 8;
/**
 * Share of the pairs that count: in five views with one occluded, six of ten pairs are good. A lower share
 * tolerates more occlusion and averages less noise.
 */
const KEPT_SHARE = 0.6;
/** Cells whose correlation is below this get no height (docs/photogrammetry.md#stages). */
const MIN_SCORE = 0.3;
/**
 * Prices of a change by one step and by more from a cell to the next, in costs: 0.08 and 0.6 of
 * correlation. Higher is calmer; 0.15 for the first rounds heaps off (3.5 instead of 2.9 cm rms on 36
 * synthetic images), 0.04 lets more wrong heights through on real ground (p95 23.6 against 21.5 cm).
 */
const SMALL_PENALTY = Math.round(0.08 * COST_STEPS);
const LARGE_PENALTY = Math.round(0.6 * COST_STEPS);
/** Windows of less variance are blank, squared grey levels: below the noise of any camera. */
const MIN_VARIANCE = 0.5;

/**
 * Matches one tile: all views are warped onto the surface at each height tried, every pair of them is
 * correlated in a window around each cell (NCC), the best 60 % of the pairs make the cost, semi-global
 * matching over eight directions chooses the height and a parabola refines it (multi-image matching
 * in object space: Collins 1996; Zhang and Gruen 2006; Hirschmueller 2008). Pairs among all views
 * need no master image, which might be the one that is occluded.
 *
 * Pure; the same input gives the same bytes on every machine.
 */
export function matchTile(input: TileInput): TileResult {
  const { frame, surface, pass } = input;
  const { steps, stepM } = pass;
  const views = input.views.slice(0, MAX_VIEWS);
  const cells = frame.width * frame.height;
  const heights = 2 * steps + 1;
  const padded = paddedHeights(steps);
  const pieces = views.map((view) => cutPiece(view, frame, surface, steps * stepM));
  const pairs = pairList(views.length);
  const sizes = pieces.map((piece) => piece.pixels.length);
  const at = matcher.layout(matcherBlocks(cells, frame.width, views.length, sizes, padded));
  // Heights of a tile differ by metres, those above the ellipsoid by thousands: f32 needs the former.
  const zeroM = surface[0] ?? 0;
  copyAbove(surface, zeroM, matcher.f32(at.surface, cells));

  let pixelsAt = at.pixels;
  const cameras = views.map((view, m): PlacedCamera => {
    const piece = pieces[m] ?? EMPTY_PIECE;
    const camera = at.cameras + m * CAMERA_BYTES;
    matcher.f32(camera, CAMERA_BYTES / 4).set(cameraBlock(view, frame, zeroM, piece));
    matcher.u8(pixelsAt, piece.pixels.length).set(piece.pixels);
    const placed = { camera, pixels: pixelsAt, piece };
    pixelsAt += piece.pixels.length;
    return placed;
  });
  const mask = matcher.u8(at.mask, cells);
  maskViews(cameras, at, frame, pass, mask);

  matcher.i32(at.pairs, pairs.length).set(pairs);
  matcher.f32(at.keep, 1 << views.length).set(keptPairs(views.length));
  const cost = matcher.u16(at.cost, cells * padded);
  startCosts(cost, heights, padded);
  if (pairs.length > 0) {
    for (let k = 0; k < heights; k += 1) costHeight(k, cameras, at, frame, pass);
  }
  const total = aggregateCosts(cost, frame.width, frame.height, padded);
  const found = pickHeights({ cost, total, padded, steps, stepM, surface });
  const viewCount = countViews(mask);
  dropUnsure(found, viewCount, pass);
  const smooth = medianOfKnown(
    found.elevationM,
    frame.width,
    frame.height,
    pass.medianRadius,
    input.inner,
  );
  return crop(input, smooth, found.score, viewCount);
}

// Each loop over cells is a function of its own. Inside of matchTile, every loop that became hot had the whole of it
// compiled again: 23 times in a survey of 36 images.

/** A view whose camera and pixels lie in the matcher's memory. */
interface PlacedCamera {
  /** Addresses. */
  readonly camera: number;
  readonly pixels: number;
  readonly piece: ImagePiece;
}

/** Addresses of the matcher's blocks. */
type MatcherBlocks = Record<keyof ReturnType<typeof matcherBlocks>, number>;

function copyAbove(surface: Float32Array, zeroM: number, out: Float32Array): void {
  for (let i = 0; i < out.length; i += 1) out[i] = (surface[i] ?? 0) - zeroM;
}

/** Marks of each cell the views that hold its whole window at all heights tried. */
function maskViews(
  cameras: readonly PlacedCamera[],
  at: MatcherBlocks,
  { width: columns, height: rows }: GridFrame,
  { steps, stepM, radius }: MatchPass,
  mask: Uint8Array,
): void {
  mask.fill((1 << cameras.length) - 1);
  for (const [m, { camera, piece }] of cameras.entries()) {
    const { width, height } = piece;
    for (const dz of [-steps * stepM, steps * stepM]) {
      matcher.functions.clipMask(
        ...[at.surface, columns, rows, camera, width, height, dz, 1 << m, at.mask, at.scratch],
      );
    }
  }
  keepWholeWindows(mask, columns, rows, radius);
}

/** Costs before any height is tried. */
function startCosts(cost: Uint16Array, heights: number, padded: number): void {
  cost.fill(UNSEEN_COST);
  for (let cell = 0; cell < cost.length; cell += padded) {
    for (let k = heights; k < padded; k += 1) cost[cell + k] = PAD_COST;
  }
}

/** Warps all views at the height of that number, and correlates them. */
function costHeight(
  k: number,
  cameras: readonly PlacedCamera[],
  at: MatcherBlocks,
  { width: columns, height: rows }: GridFrame,
  { steps, stepM, radius }: MatchPass,
): void {
  const sheetBytes = columns * rows * 4;
  const dz = (k - steps) * stepM;
  for (const [m, { camera, pixels, piece }] of cameras.entries()) {
    const { width, height, mean } = piece;
    const sheet = at.sheets + m * sheetBytes;
    matcher.functions.warp(
      ...[at.surface, columns, rows, camera, pixels, width, height, dz, mean, sheet, at.scratch],
    );
  }
  const views = cameras.length;
  const [full, pairs] = [(1 << views) - 1, pairCount(views)];
  matcher.functions.correlate(
    ...[at.sheets, views, columns, rows, at.mask, full, at.pairs, pairs, at.keep],
    ...[keptOf(views), radius, MIN_VARIANCE, at.scratch, at.cost, paddedHeights(steps), k],
  );
}

function countViews(mask: Uint8Array): Uint8Array {
  const counts = new Uint8Array(mask.length);
  for (let i = 0; i < mask.length; i += 1) counts[i] = BITS[mask[i] ?? 0] ?? 0;
  return counts;
}

/** Takes the heights away that match badly, rest on too few views, or may lie beyond those tried. */
function dropUnsure(
  { elevationM, score, isEnd }: PickedHeights,
  viewCount: Uint8Array,
  { minViews, rejectsEnds }: MatchPass,
): void {
  for (let i = 0; i < elevationM.length; i += 1) {
    const isSure = (score[i] ?? 0) >= MIN_SCORE && (viewCount[i] ?? 0) >= minViews;
    if (!isSure || (rejectsEnds && isEnd[i] === 1)) elevationM[i] = Number.NaN;
  }
}

/**
 * Bytes that matching a tile will take: both kernels' memory, which stays with the thread for its next
 * tile, and the arrays around them. The images are not counted: they are the pyramids' and shared.
 */
export function tileBytes(input: TileInput<ImageSize>): number {
  const cells = input.frame.width * input.frame.height;
  const padded = paddedHeights(input.pass.steps);
  const reach = input.pass.steps * input.pass.stepM;
  const views = input.views.slice(0, MAX_VIEWS);
  const pieces = views.map((view) => {
    const { width, height } = pieceBounds(view, input.frame, input.surface, reach);
    return width * height;
  });
  const blocks = matcherBlocks(cells, input.frame.width, views.length, pieces, padded);
  const kernel = Object.values(blocks).reduce((sum, bytes) => sum + bytes, 0);
  const pathBytes = paths.functions.pathBytes(input.frame.width, padded);
  // Beside the matcher's memory: costs and sums in the other kernel and the sums' copy; then the pieces
  // and, a cell, two heights, score, views, mask and end.
  const sums = 3 * cells * padded * 2 + pathBytes;
  return kernel + sums + pieces.reduce((sum, pixels) => sum + pixels, 0) + cells * 15;
}

const CAMERA_BYTES = 20 * 4;
const EMPTY_PIECE: ImagePiece = {
  left: 0,
  top: 0,
  width: 2,
  height: 2,
  mean: 0,
  pixels: new Uint8Array(4),
};
/** Bits set in each byte. */
const BITS = Uint8Array.from(
  { length: 256 },
  (_, byte) => byte.toString(2).replaceAll("0", "").length,
);

function paddedHeights(steps: number): number {
  return Math.ceil((2 * steps + 1) / 8) * 8;
}

function matcherBlocks(
  cells: number,
  columns: number,
  views: number,
  piecePixels: readonly number[],
  padded: number,
) {
  const pairs = pairCount(views);
  return {
    surface: cells * 4,
    mask: cells,
    cameras: views * CAMERA_BYTES,
    // The last four pixels are read sixteen bytes at a time.
    pixels: piecePixels.reduce((sum, pixels) => sum + pixels, 16),
    pairs: pairs * 16,
    keep: 256 * 4,
    sheets: views * cells * 4,
    // Three rows of projected places, or the sums of columns.
    scratch: Math.max(3, 2 * views + pairs) * columns * 4 + (2 * views + pairs) * 16,
    cost: cells * padded * 2,
  };
}

function pairCount(views: number): number {
  return (views * (views - 1)) / 2;
}

/** The two views and their bits in the mask, four numbers a pair. */
function pairList(views: number): Int32Array {
  const list: number[] = [];
  for (let a = 0; a < views; a += 1) {
    for (let b = a + 1; b < views; b += 1) list.push(a, b, (1 << a) | (1 << b), 0);
  }
  return Int32Array.from(list);
}

/** Of each mask value, how many of its pairs count. */
function keptPairs(views: number): Float32Array {
  return Float32Array.from({ length: 1 << views }, (_, bits) => keptOf(BITS[bits] ?? 0));
}

/** How many of the pairs of so many views count. */
function keptOf(views: number): number {
  return Math.ceil(KEPT_SHARE * pairCount(views));
}

/** Takes a view from the cells whose window it does not hold whole. */
function keepWholeWindows(mask: Uint8Array, columns: number, rows: number, radius: number): void {
  const across = new Uint8Array(mask.length);
  for (let row = 0; row < rows; row += 1) {
    for (let column = radius; column < columns - radius; column += 1) {
      const i = row * columns + column;
      let bits = 255;
      for (let d = -radius; d <= radius; d += 1) bits &= mask[i + d] ?? 0;
      across[i] = bits;
    }
  }
  mask.fill(0);
  for (let row = radius; row < rows - radius; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const i = row * columns + column;
      let bits = 255;
      for (let d = -radius; d <= radius; d += 1) bits &= across[i + d * columns] ?? 0;
      mask[i] = bits;
    }
  }
}

/** Sums over the paths of each cell, in the kernel's memory: they last until the next tile. */
function aggregateCosts(
  cost: Uint16Array,
  columns: number,
  rows: number,
  padded: number,
): Uint16Array {
  const at = paths.layout({
    cost: cost.byteLength,
    paths: paths.functions.pathBytes(columns, padded),
    total: cost.byteLength,
  });
  paths.u16(at.cost, cost.length).set(cost);
  paths.functions.aggregate(
    ...[at.cost, columns, rows, padded, SMALL_PENALTY, LARGE_PENALTY, at.paths, at.total],
  );
  return paths.u16(at.total, cost.length);
}

function crop(
  { frame, inner }: TileInput,
  elevationM: Float32Array,
  score: Float32Array,
  views: Uint8Array,
): TileResult {
  const out = {
    elevationM: new Float32Array(inner.width * inner.height),
    score: new Float32Array(inner.width * inner.height),
    views: new Uint8Array(inner.width * inner.height),
  };
  for (let row = 0; row < inner.height; row += 1) {
    const from = (row + inner.row) * frame.width + inner.column;
    const to = from + inner.width;
    out.elevationM.set(elevationM.subarray(from, to), row * inner.width);
    out.score.set(score.subarray(from, to), row * inner.width);
    out.views.set(views.subarray(from, to), row * inner.width);
  }
  return out;
}
