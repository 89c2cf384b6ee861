import type { HeightField } from "../../grid/elevation-grid.ts";
import { project } from "../camera/camera.ts";
import type { DepthBuffer } from "./depth-buffer.ts";
import { lensReach2 } from "./lens-reach.ts";
import type { ColourImage } from "./ortho-view.ts";

/** What one image shows at common points of the ground. */
export interface PhotometricSamples {
  /** Natural logarithm of mean red, green, blue (0 to 255); three a point; NaN = not seen or not usable. */
  readonly logColour: Float32Array;
  /** Squared distance from the principal point, 1 at half the image's diagonal; one a point. */
  readonly radius2: Float32Array;
}

/**
 * Points over which images are compared; more = steadier gains. 3,000 give 36 images 0.3 % each; they cost time by
 * number.
 */
const POINTS = 3000;
/**
 * The patch that is averaged: 5 x 5 pixels, every second one; wide enough for errors of the surface. Wider mixes
 * neighbouring materials, narrower compares different spots where the surface is off.
 */
const PATCH_REACH_PX = 4;
const PATCH_STEP_PX = 2;
/**
 * Means beyond these grey levels are clipped in part and would pull the gains. Nearer to the ends takes clipped
 * ones in, farther leaves dark and bright ground without samples.
 */
const DARKEST = 8;
const BRIGHTEST = 245;

/** Points on the surface in a regular raster: x, y, z (ENU, metres), three numbers each. */
export function photometricPoints(surface: HeightField, count = POINTS): Float64Array {
  const { width, height, cellM, westM, northM, elevationM } = surface;
  const stride = Math.max(1, Math.floor(Math.sqrt((width * height) / count)));
  const points: number[] = [];
  for (let row = stride >> 1; row < height; row += stride) {
    for (let col = stride >> 1; col < width; col += stride) {
      const z = elevationM[row * width + col] ?? Number.NaN;
      if (Number.isNaN(z)) continue;
      points.push(westM + (col + 0.5) * cellM, northM - (row + 0.5) * cellM, z);
    }
  }
  return Float64Array.from(points);
}

/** Mean colours of one image around the points it sees. */
export function sampleColours(
  image: ColourImage,
  depth: DepthBuffer,
  points: Float64Array,
): PhotometricSamples {
  const { lens, pose, rgb } = image;
  const { widthPx, heightPx } = lens;
  const count = points.length / 3;
  const logColour = new Float32Array(points.length).fill(Number.NaN);
  const radius2 = new Float32Array(count);
  const at = { u: 0, v: 0, depth: 0 };
  const half2 = (widthPx ** 2 + heightPx ** 2) / 4;
  const reach2 = lensReach2(lens);
  for (let i = 0; i < count; i += 1) {
    const point = [points[i * 3] ?? 0, points[i * 3 + 1] ?? 0, points[i * 3 + 2] ?? 0] as const;
    if (!project(lens, pose, point, at)) continue;
    const { centre } = pose;
    const distance = Math.hypot(point[0] - centre[0], point[1] - centre[1], point[2] - centre[2]);
    const offAxis2 = (distance / at.depth) ** 2 - 1;
    const x = Math.round(at.u);
    const y = Math.round(at.v);
    const reach = PATCH_REACH_PX;
    if (!(offAxis2 < reach2 && x >= reach && y >= reach)) continue;
    if (x >= widthPx - reach || y >= heightPx - reach) continue;
    const seen = Math.floor(y / depth.stepPx) * depth.width + Math.floor(x / depth.stepPx);
    if (1 / at.depth < (depth.inverseDepth[seen] ?? 0) * depth.keep) continue;
    radius2[i] = ((at.u - lens.cxPx) ** 2 + (at.v - lens.cyPx) ** 2) / half2;
    const sums = [0, 0, 0];
    let pixels = 0;
    for (let dy = -reach; dy <= reach; dy += PATCH_STEP_PX) {
      for (let dx = -reach; dx <= reach; dx += PATCH_STEP_PX) {
        const pixel = ((y + dy) * widthPx + x + dx) * 3;
        for (let c = 0; c < 3; c += 1) sums[c] = (sums[c] ?? 0) + (rgb[pixel + c] ?? 0);
        pixels += 1;
      }
    }
    const means = sums.map((sum) => sum / pixels);
    if (means.some((mean) => mean < DARKEST || mean > BRIGHTEST)) continue;
    for (let c = 0; c < 3; c += 1) logColour[i * 3 + c] = Math.log(means[c] ?? 0);
  }
  return { logColour, radius2 };
}
