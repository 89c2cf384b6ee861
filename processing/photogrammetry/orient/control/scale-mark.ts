import type { ImageMark } from "../block/orientation.ts";

/** Corner of an image, half a pixel beside the middle of pixel 0. */
export const PIXEL_CORNER = [-0.5, -0.5] as const;

/**
 * A mark with its pixels multiplied by `scale`, about the corner of the image that they were counted from.
 */
export function scaleMark(mark: ImageMark, scale: number): ImageMark {
  const [cornerU, cornerV] = mark.corner ?? PIXEL_CORNER;
  return {
    ...mark,
    u: cornerU + (mark.u - cornerU) * scale,
    v: cornerV + (mark.v - cornerV) * scale,
  };
}
