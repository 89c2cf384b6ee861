import type { GridFrame } from "../../grid/elevation-grid.ts";
import { lensReach2 } from "./lens-reach.ts";
import type { OrthoView, ViewPart } from "./ortho-view.ts";

/** One view, ready to be added to blocks of an orthophoto. */
export interface ViewBlender {
  /**
   * How steeply the view looks down on the middle of the block: height above it over distance, 0 to 1;
   * 0 when the block has no image.
   */
  steepness(frame: GridFrame, heightM: number): number;
  /**
   * Adds weighted red, green, blue (0 to 255) and the weight to `sums`, four numbers a cell of the
   * block, where the view sees the cell; with `onlyGaps` only where the weight is still 0.
   */
  blend(frame: GridFrame, heights: Float32Array, sums: Float32Array, onlyGaps: boolean): void;
}

/**
 * Weight of a view that looks past the vertical by t = tan(angle): (1 + t2 / NADIR_TAN2)^-8. Smaller =
 * harder seams. Chosen: at 15 degrees against 8 the view counts a tenth, so that leaning walls and
 * errors of the surface come from one view, and seams are still metres wide.
 */
const NADIR_TAN2 = 0.3 ** 2;
/**
 * Width of the border over which a view fades out, share of the image's shorter edge. Wider takes weight from
 * images that see well, narrower lets the edges of images show.
 */
const FEATHER_SHARE = 0.1;
const MIN_DEPTH_M = 0.01;

export function createViewBlender(view: OrthoView): ViewBlender {
  const { lens, pose, gain } = view;
  let part: ViewPart | undefined;
  const [r0 = 0, r1 = 0, r2 = 0, r3 = 0, r4 = 0, r5 = 0, r6 = 0, r7 = 0, r8 = 0] = pose.rotation;
  const [cx, cy, cz] = pose.centre;
  const { focalPx: f, cxPx, cyPx, k1, k2, p1, p2, widthPx, heightPx } = lens;
  const reach2 = lensReach2(lens);
  const lastU = widthPx - 1;
  const lastV = heightPx - 1;
  const feather = 1 / (FEATHER_SHARE * Math.min(widthPx, heightPx));
  const [gainR, gainG, gainB] = gain.gain;
  const [fallR, fallG, fallB] = gain.falloff;
  const perRadius2 = 4 / (widthPx ** 2 + heightPx ** 2);

  return {
    steepness(frame, heightM) {
      const halfX = (frame.width * frame.cellM) / 2;
      const halfY = (frame.height * frame.cellM) / 2;
      const x = frame.westM + halfX;
      const y = frame.northM - halfY;
      const isInView = [
        [0, 0],
        [-1, -1],
        [1, -1],
        [-1, 1],
        [1, 1],
      ].some(([i = 0, j = 0]) => isImaged(x + i * halfX, y + j * halfY, heightM));
      const above = cz - heightM;
      return isInView && above > 0 ? above / Math.hypot(x - cx, y - cy, above) : 0;
    },

    // One loop without calls: it runs some ten million times for a survey of 36 images.
    blend(frame, heights, sums, onlyGaps) {
      const { width, height, cellM } = frame;
      part ??= view.part();
      const { rgb, window } = part;
      const { left, top } = window;
      const stride = window.width * 3;
      const rightmost = left + window.width - 1;
      const lowest = top + window.height - 1;
      const { inverseDepth, keep, width: depthWidth, stepPx } = part.depth;
      const perStep = 1 / stepPx;
      for (let row = 0; row < height; row += 1) {
        const dy = frame.northM - (row + 0.5) * cellM - cy;
        for (let col = 0; col < width; col += 1) {
          const at = row * width + col;
          if (onlyGaps && sums[at * 4 + 3] !== 0) continue;
          const dx = frame.westM + (col + 0.5) * cellM - cx;
          const dz = (heights[at] ?? 0) - cz;
          const along = r6 * dx + r7 * dy + r8 * dz;
          const inverse = 1 / along;
          const x = (r0 * dx + r1 * dy + r2 * dz) * inverse;
          const y = (r3 * dx + r4 * dy + r5 * dz) * inverse;
          const q = x * x + y * y;
          // Also false when the height is NaN.
          if (!(along > MIN_DEPTH_M && q < reach2)) continue;
          const radial = 1 + q * (k1 + k2 * q);
          const u = f * (x * radial + 2 * p1 * x * y + p2 * (q + 2 * x * x)) + cxPx;
          const v = f * (y * radial + p1 * (q + 2 * y * y) + 2 * p2 * x * y) + cyPx;
          if (!(u > 0 && v > 0 && u < lastU && v < lastV)) continue;
          if (!(u >= left && v >= top && u < rightmost && v < lowest)) continue;
          const across = ((u + 0.5 - left) * perStep) | 0;
          const cell = (((v + 0.5 - top) * perStep) | 0) * depthWidth + across;
          if (inverse < (inverseDepth[cell] ?? 0) * keep) continue;
          const border = Math.min(u, v, lastU - u, lastV - v) * feather;
          const lean = 1 / (1 + (dx * dx + dy * dy) / (dz * dz * NADIR_TAN2));
          const lean2 = lean * lean;
          const lean4 = lean2 * lean2;
          const weight = lean4 * lean4 * (border < 1 ? border : 1);
          const u0 = u | 0;
          const v0 = v | 0;
          const fu = u - u0;
          const fv = v - v0;
          const w11 = fu * fv;
          const w10 = fu - w11;
          const w01 = fv - w11;
          const w00 = 1 - fu - w01;
          const p = (v0 - top) * stride + (u0 - left) * 3;
          const s = p + stride;
          const radius2 = ((u - cxPx) * (u - cxPx) + (v - cyPx) * (v - cyPx)) * perRadius2;
          const red =
            (rgb[p] ?? 0) * w00 +
            (rgb[p + 3] ?? 0) * w10 +
            (rgb[s] ?? 0) * w01 +
            (rgb[s + 3] ?? 0) * w11;
          const green =
            (rgb[p + 1] ?? 0) * w00 +
            (rgb[p + 4] ?? 0) * w10 +
            (rgb[s + 1] ?? 0) * w01 +
            (rgb[s + 4] ?? 0) * w11;
          const blue =
            (rgb[p + 2] ?? 0) * w00 +
            (rgb[p + 5] ?? 0) * w10 +
            (rgb[s + 2] ?? 0) * w01 +
            (rgb[s + 5] ?? 0) * w11;
          const to = at * 4;
          sums[to] = (sums[to] ?? 0) + weight * red * gainR * growth(fallR * radius2);
          sums[to + 1] = (sums[to + 1] ?? 0) + weight * green * gainG * growth(fallG * radius2);
          sums[to + 2] = (sums[to + 2] ?? 0) + weight * blue * gainB * growth(fallB * radius2);
          sums[to + 3] = (sums[to + 3] ?? 0) + weight;
        }
      }
    },
  };

  function isImaged(x: number, y: number, z: number): boolean {
    const [dx, dy, dz] = [x - cx, y - cy, z - cz];
    const along = r6 * dx + r7 * dy + r8 * dz;
    const xn = (r0 * dx + r1 * dy + r2 * dz) / along;
    const yn = (r3 * dx + r4 * dy + r5 * dz) / along;
    const q = xn * xn + yn * yn;
    if (!(along > MIN_DEPTH_M && q < reach2)) return false;
    const radial = 1 + q * (k1 + k2 * q);
    const u = f * xn * radial + cxPx;
    const v = f * yn * radial + cyPx;
    return u > 0 && v > 0 && u < lastU && v < lastV;
  }
}

/** exp(a) by its series to the third power: 0.1 % off at a = 0.4, more than any lens loses. */
function growth(a: number): number {
  return 1 + a * (1 + a * (0.5 + a * (1 / 6)));
}
