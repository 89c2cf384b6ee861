import { FRAME } from "./view-frame.ts";

const { width: W, height: H } = FRAME;

/**
 * A gradient counts up to so many times the mean: the edge of a lorry must not outweigh a site. Lower, noise
 * counts as much as edges; higher, a few strong edges decide alone.
 */
const CAP_MEANS = 3;

/**
 * Strength of edges at {@link FRAME} size, 0 to 1: the capped magnitude of the gradient. Light from another
 * side, haze and exposure change it little; its cap takes the overall contrast away.
 */
export function edgeMap(luminance: Float32Array): Float32Array {
  const smooth = blur(luminance);
  const edges = new Float32Array(W * H);
  let sum = 0;
  for (let y = 1; y < H - 1; y++) {
    for (let x = 1; x < W - 1; x++) {
      const i = y * W + x;
      const gx = (smooth[i + 1] ?? 0) - (smooth[i - 1] ?? 0);
      const gy = (smooth[i + W] ?? 0) - (smooth[i - W] ?? 0);
      const strength = Math.sqrt(gx * gx + gy * gy);
      edges[i] = strength;
      sum += strength;
    }
  }
  const cap = (CAP_MEANS * sum) / ((W - 2) * (H - 2));
  // A picture of one colour has no edges.
  if (cap === 0) return edges;
  for (let i = 0; i < edges.length; i++) edges[i] = Math.min(1, (edges[i] ?? 0) / cap);
  return edges;
}

/** The binomial filter 1 2 1 along both axes; the outermost pixels stay as they are. */
export function blur(image: Float32Array): Float32Array {
  const rows = image.slice();
  for (let y = 0; y < H; y++) {
    for (let x = 1; x < W - 1; x++) {
      const i = y * W + x;
      rows[i] = ((image[i - 1] ?? 0) + 2 * (image[i] ?? 0) + (image[i + 1] ?? 0)) / 4;
    }
  }
  const both = rows.slice();
  for (let y = 1; y < H - 1; y++) {
    for (let x = 0; x < W; x++) {
      const i = y * W + x;
      both[i] = ((rows[i - W] ?? 0) + 2 * (rows[i] ?? 0) + (rows[i + W] ?? 0)) / 4;
    }
  }
  return both;
}
