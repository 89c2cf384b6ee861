import type { Intrinsics, Pose } from "../camera.ts";
import type { DepthBuffer } from "./depth-buffer.ts";
import type { PhotometricGain } from "./solve-gains.ts";

/** An oriented image and its pixels. The arrays may lie on shared memory. */
export interface ColourImage {
  /** At the size of `rgb`. */
  readonly lens: Intrinsics;
  readonly pose: Pose;
  /** Red, green, blue; length `lens.widthPx * lens.heightPx * 3`, row-major, top row first. */
  readonly rgb: Uint8Array;
}

/** An image that is ready to be laid over the surface. */
export interface OrthoView extends ColourImage {
  readonly depth: DepthBuffer;
  readonly gain: PhotometricGain;
}
