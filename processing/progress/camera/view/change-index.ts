import type { ImagePoint } from "../../../../domain/sites/site-camera.ts";
import { blur } from "./edge-map.ts";
import { type FrameMap, mapPoint } from "./frame-map.ts";
import { insideOutline } from "./outline.ts";
import { FRAME } from "./view-frame.ts";

const { width: W, height: H } = FRAME;
/**
 * Side of the blocks that are compared, pixels of the frame. Smaller ones answer to a shift of a pixel, larger
 * ones hide small works among what stays.
 */
const SIDE = 16;
/**
 * Variance below which a block is even, as a share of the picture's: that of noise and JPEG. Higher, faint works
 * count as unchanged.
 */
const EVEN = 0.01;

/**
 * How much a view differs from the reference view within `outlines` (everywhere, where there are none): 0 the
 * same, 1 nothing alike. One less the mean, over blocks, of contrast and structure of the structural
 * similarity (Wang, Bovik, Sheikh, Simoncelli 2004); both pictures are brought to one variance before, so
 * that light does not count. No measure of progress.
 */
export function changeIndex(
  reference: Float32Array,
  view: Float32Array,
  map: FrameMap,
  outlines: readonly (readonly ImagePoint[])[],
): number {
  const before = even(reference);
  const after = even(view);
  let sum = 0;
  let count = 0;
  for (let top = 0; top + SIDE <= H; top += SIDE) {
    for (let left = 0; left + SIDE <= W; left += SIDE) {
      const [x, y] = [(left + SIDE / 2) / W, (top + SIDE / 2) / H];
      const isAsked =
        outlines.length === 0 || outlines.some((outline) => insideOutline(outline, x, y));
      if (!isAsked) continue;
      const [u, v] = mapPoint(map, left, top);
      const [toLeft, toTop] = [Math.round(u), Math.round(v)];
      if (toLeft < 0 || toTop < 0 || toLeft + SIDE > W || toTop + SIDE > H) continue;
      sum += likeness(before, left, top, after, toLeft, toTop);
      count += 1;
    }
  }
  return count === 0 ? 0 : Math.max(0, Math.min(1, 1 - sum / count));
}

/** Smoothed, with mean 0 and variance 1; a picture of one colour is 0. */
function even(picture: Float32Array): Float32Array {
  const smooth = blur(picture);
  let sum = 0;
  let squares = 0;
  for (const value of smooth) {
    sum += value;
    squares += value * value;
  }
  const mean = sum / smooth.length;
  const deviation = Math.sqrt(Math.max(0, squares / smooth.length - mean * mean));
  return smooth.map((value) => (deviation === 0 ? 0 : (value - mean) / deviation));
}

function likeness(
  a: Float32Array,
  aLeft: number,
  aTop: number,
  b: Float32Array,
  bLeft: number,
  bTop: number,
): number {
  let [sumA, sumB, squaresA, squaresB, product] = [0, 0, 0, 0, 0];
  for (let y = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++) {
      const p = a[(aTop + y) * W + aLeft + x] ?? 0;
      const q = b[(bTop + y) * W + bLeft + x] ?? 0;
      sumA += p;
      sumB += q;
      squaresA += p * p;
      squaresB += q * q;
      product += p * q;
    }
  }
  const n = SIDE * SIDE;
  const covariance = product / n - (sumA * sumB) / n ** 2;
  const varianceA = squaresA / n - (sumA / n) ** 2;
  const varianceB = squaresB / n - (sumB / n) ** 2;
  return Math.max(0, (2 * covariance + EVEN) / (varianceA + varianceB + EVEN));
}
