import type { Intrinsics, Pose } from "../camera.ts";
import type { DepthBuffer } from "./depth-buffer.ts";

/** An oriented image and its pixels. The arrays may lie on shared memory. */
export interface ColourImage {
  /** At the size of `rgb`. */
  readonly lens: Intrinsics;
  readonly pose: Pose;
  /** Red, green, blue; length `lens.widthPx * lens.heightPx * 3`, row-major, top row first. */
  readonly rgb: Uint8Array;
}

/** Factors that bring one image to the common brightness: red, green, blue in turn. */
export interface PhotometricGain {
  /** At the principal point, without unit. */
  readonly gain: readonly [number, number, number];
  /** Light lost towards the corners: the factor grows by exp(`falloff` r2), r2 = 1 at half the diagonal. */
  readonly falloff: readonly [number, number, number];
}

/** An image that is ready to be laid over the surface. */
export interface OrthoView extends ColourImage {
  readonly depth: DepthBuffer;
  readonly gain: PhotometricGain;
}
