import type { Intrinsics, Pose } from "../camera/camera.ts";
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

/** A rectangle of an image, pixels. */
export interface ViewWindow {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The part of an image that is laid over a part of the surface. */
export interface ViewPart {
  readonly window: ViewWindow;
  /** Of the window: red, green, blue, row-major, top row first. */
  readonly rgb: Uint8Array;
  /** Of the window. */
  readonly depth: DepthBuffer;
}

/** An image that may be laid over the surface. */
export interface OrthoView {
  readonly lens: Intrinsics;
  readonly pose: Pose;
  readonly gain: PhotometricGain;
  /** Its pixels over the cells that are painted; asked for once, and only where the view is used. */
  part(): ViewPart;
}
