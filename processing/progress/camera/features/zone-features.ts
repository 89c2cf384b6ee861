import type { PictureLight } from "../view/picture-light.ts";
import { PATCH, type ZonePatch } from "../view/warp-zone.ts";
import { uniformPatterns } from "./uniform-patterns.ts";

const { width: W, height: H } = PATCH;
/** Cells of colour and edges, and of texture (docs/progress-method.md#fixed-cameras). */
const CELLS = { columns: 8, rows: 6 } as const;
const TEXTURE_CELLS = { columns: 4, rows: 3 } as const;
const DIRECTIONS = 6;
const PATTERNS = 10;
/** Chroma 2, luminance 2; directions and energy of edges; patterns. */
export const FEATURE_COUNT =
  CELLS.columns * CELLS.rows * (4 + DIRECTIONS + 1) +
  TEXTURE_CELLS.columns * TEXTURE_CELLS.rows * PATTERNS;

/**
 * What a zone looks like, as {@link FEATURE_COUNT} numbers: by cell of 8 x 6 the chroma, mean and spread of
 * the luminance, a histogram of edge directions and the energy of edges; by cell of 4 x 3 a histogram of
 * rotation-invariant uniform patterns (Ojala, Pietikäinen, Mäenpää 2002). Each channel is divided by its mean
 * over the whole picture, so neither white balance nor exposure counts. Cells without a pixel of the outline
 * are 0.
 */
export function zoneFeatures({ rgb, mask }: ZonePatch, { means }: PictureLight): Float32Array {
  const count = W * H;
  const luminance = new Float32Array(count);
  const red = new Float32Array(count);
  const green = new Float32Array(count);
  for (let i = 0; i < count; i++) {
    const r = (rgb[3 * i] ?? 0) / means[0];
    const g = (rgb[3 * i + 1] ?? 0) / means[1];
    const b = (rgb[3 * i + 2] ?? 0) / means[2];
    const sum = r + g + b;
    luminance[i] = sum / 3;
    red[i] = sum === 0 ? 1 / 3 : r / sum;
    green[i] = sum === 0 ? 1 / 3 : g / sum;
  }
  const features = new Float32Array(FEATURE_COUNT);
  let at = 0;
  const put = (value: number): void => {
    features[at] = value;
    at += 1;
  };
  const edges = edgesOf(luminance, mask);
  for (const cell of cellsOf(CELLS, mask)) {
    const light = spreadOf(luminance, cell);
    put(spreadOf(red, cell).mean);
    put(spreadOf(green, cell).mean);
    put(light.mean);
    put(light.deviation);
    for (const share of directionsOf(edges, cell)) put(share);
    put(spreadOf(edges.strength, cell).mean);
  }
  const patterns = uniformPatterns(luminance, W, H);
  for (const cell of cellsOf(TEXTURE_CELLS, mask)) {
    const histogram = new Float64Array(PATTERNS);
    for (const i of cell) {
      const pattern = patterns[i] ?? 0;
      histogram[pattern] = (histogram[pattern] ?? 0) + 1;
    }
    for (const times of histogram) put(cell.length === 0 ? 0 : times / cell.length);
  }
  return features;
}

/** The pixels of each cell that lie inside of the outline, by index, cells row by row. */
function cellsOf(
  { columns, rows }: { readonly columns: number; readonly rows: number },
  mask: Uint8Array,
): readonly (readonly number[])[] {
  const cells: number[][] = Array.from({ length: columns * rows }, () => []);
  for (let y = 0; y < H; y++) {
    const row = Math.floor((y * rows) / H);
    for (let x = 0; x < W; x++) {
      const i = y * W + x;
      if (mask[i] === 1) cells[row * columns + Math.floor((x * columns) / W)]?.push(i);
    }
  }
  return cells;
}

function spreadOf(
  values: Float32Array,
  cell: readonly number[],
): { readonly mean: number; readonly deviation: number } {
  if (cell.length === 0) return { mean: 0, deviation: 0 };
  let sum = 0;
  let squares = 0;
  for (const i of cell) {
    const value = values[i] ?? 0;
    sum += value;
    squares += value * value;
  }
  const mean = sum / cell.length;
  return { mean, deviation: Math.sqrt(Math.max(0, squares / cell.length - mean * mean)) };
}

interface Edges {
  readonly strength: Float32Array;
  /** Of the gradient, without its sign: 0 to DIRECTIONS - 1. */
  readonly direction: Uint8Array;
}

/** Gradients of pixels whose neighbours all lie inside: the outline itself is not an edge. */
function edgesOf(luminance: Float32Array, mask: Uint8Array): Edges {
  const strength = new Float32Array(W * H);
  const direction = new Uint8Array(W * H);
  for (let y = 1; y < H - 1; y++) {
    for (let x = 1; x < W - 1; x++) {
      const i = y * W + x;
      const isInside =
        mask[i - 1] === 1 && mask[i + 1] === 1 && mask[i - W] === 1 && mask[i + W] === 1;
      if (!isInside) continue;
      const gx = ((luminance[i + 1] ?? 0) - (luminance[i - 1] ?? 0)) / 2;
      const gy = ((luminance[i + W] ?? 0) - (luminance[i - W] ?? 0)) / 2;
      strength[i] = Math.hypot(gx, gy);
      const turn = (Math.atan2(gy, gx) + Math.PI) / Math.PI;
      direction[i] = Math.floor((turn * DIRECTIONS + 0.5) % DIRECTIONS);
    }
  }
  return { strength, direction };
}

/** Shares of the edge energy of a cell by direction; all 0 in a cell without edges. */
function directionsOf({ strength, direction }: Edges, cell: readonly number[]): Float64Array {
  const shares = new Float64Array(DIRECTIONS);
  let sum = 0;
  for (const i of cell) {
    const value = strength[i] ?? 0;
    const d = direction[i] ?? 0;
    shares[d] = (shares[d] ?? 0) + value;
    sum += value;
  }
  return sum === 0 ? shares : shares.map((share) => share / sum);
}
