import type { FrameBuffer } from "./frame-buffer.ts";
import type { View } from "./view.ts";

/** Blur shorter than this is left to the pixel itself, px. */
const LEAST_PX = 0.2;
/** Samples along a streak at most. */
const MOST_SAMPLES = 25;

/**
 * Smears each pixel along the path that its ground moves over the sensor while the shutter is open.
 * With motion (mr, md, mf) of the camera along its axes and a ray (x, y, 1) at depth d, the image
 * moves by -f ((mr - x mf) / d, (md - y mf) / d).
 */
export function blurByMotion(view: View, picture: FrameBuffer): void {
  const { lens, axes, velocityMps: v, exposureS, rays } = view;
  const along = (axis: readonly [number, number, number]) =>
    exposureS * (axis[0] * v[0] + axis[1] * v[1] + axis[2] * v[2]);
  const [mr, md, mf] = [along(axes.right), along(axes.down), along(axes.forward)];
  const { widthPx, heightPx, colour, depthM } = picture;
  let longest = 0;
  for (const depth of [depthM[0], depthM[depthM.length >> 1], depthM.at(-1)]) {
    longest = Math.max(longest, (lens.focalPx * Math.hypot(mr, md, mf)) / (depth ?? 1));
  }
  if (longest < LEAST_PX) return;
  const source = colour.slice();
  for (let row = 0; row < heightPx; row += 1) {
    for (let column = 0; column < widthPx; column += 1) {
      const pixel = row * widthPx + column;
      const k = lens.focalPx / (depthM[pixel] ?? 1);
      const du = -k * (mr - (rays[2 * pixel] ?? 0) * mf);
      const dv = -k * (md - (rays[2 * pixel + 1] ?? 0) * mf);
      const count = Math.min(MOST_SAMPLES, 2 * Math.ceil(Math.hypot(du, dv)) + 1);
      for (let c = 0; c < 3; c += 1) {
        let sum = 0;
        for (let s = 0; s < count; s += 1) {
          const share = (s + 0.5) / count - 0.5;
          sum += bilinear(source, widthPx, heightPx, column + du * share, row + dv * share, c);
        }
        colour[3 * pixel + c] = sum / count;
      }
    }
  }
}

function bilinear(
  colour: Float32Array,
  widthPx: number,
  heightPx: number,
  u: number,
  v: number,
  channel: number,
): number {
  const x = Math.min(widthPx - 1.001, Math.max(0, u));
  const y = Math.min(heightPx - 1.001, Math.max(0, v));
  const column = Math.floor(x);
  const row = Math.floor(y);
  const i = 3 * (row * widthPx + column) + channel;
  const j = i + 3 * widthPx;
  const a = x - column;
  const upper = (colour[i] ?? 0) * (1 - a) + (colour[i + 3] ?? 0) * a;
  const lower = (colour[j] ?? 0) * (1 - a) + (colour[j + 3] ?? 0) * a;
  return upper + (y - row) * (lower - upper);
}

/** Runs of a box filter; three are close to a Gaussian. */
const BOX_RUNS = 3;

/** Blurs a picture evenly, as out of focus or shaken: three box filters of `2 radiusPx + 1` pixels. */
export function blurEvenly(picture: FrameBuffer, radiusPx: number): void {
  const { widthPx, heightPx, colour } = picture;
  for (let run = 0; run < BOX_RUNS; run += 1) {
    boxLines(colour, heightPx, widthPx, 3 * widthPx, 3, radiusPx);
    boxLines(colour, widthPx, heightPx, 3, 3 * widthPx, radiusPx);
  }
}

function boxLines(
  colour: Float32Array,
  lines: number,
  length: number,
  lineStride: number,
  stride: number,
  radius: number,
): void {
  const source = new Float64Array(length);
  for (let line = 0; line < lines; line += 1) {
    for (let c = 0; c < 3; c += 1) {
      const first = line * lineStride + c;
      for (let k = 0; k < length; k += 1) source[k] = colour[first + k * stride] ?? 0;
      const at = (k: number) => source[Math.min(length - 1, Math.max(0, k))] ?? 0;
      let sum = 0;
      for (let k = -radius; k <= radius; k += 1) sum += at(k);
      for (let k = 0; k < length; k += 1) {
        colour[first + k * stride] = sum / (2 * radius + 1);
        sum += at(k + radius + 1) - at(k - radius);
      }
    }
  }
}
