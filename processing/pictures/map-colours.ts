import { INK, PAPER } from "./ink.ts";
import type { Colour } from "./picture.ts";

const NO_DATA_LINE: Colour = [168, 174, 182];

/**
 * Lines of a hatching are this far apart, pixels: seen at half the picture's size too. Wider is taken for
 * contours, denser for a colour of its own.
 */
const SPACING_PX = 10;
const LINE_PX = 2;

/**
 * What a pixel of a hatching has; `undefined`: what is below it. The two lean in different directions, so
 * they differ in grey print.
 */
export const hatchings = {
  /** Rising lines on white. */
  noData: (x: number, y: number) => ((x + y) % SPACING_PX < LINE_PX ? NO_DATA_LINE : PAPER),
  /** Falling lines over the colours. */
  interpolated: (x: number, y: number) =>
    (x - y + 100_000) % SPACING_PX < LINE_PX ? INK : undefined,
} as const;

/**
 * A colour in the light of a relief.
 * @param shade 1 (dark) to 255, level ground is 128 and keeps the colour
 * @param floor what the darkest keeps of it, 0 to 1
 */
export function shaded([r, g, b]: Colour, shade: number, floor: number): Colour {
  const light = floor + ((1 - floor) * shade) / 128;
  return [Math.min(255, r * light), Math.min(255, g * light), Math.min(255, b * light)];
}

/** Grey of a relief, light enough that lines and colours stand out on it. */
export function reliefGrey(shade: number): Colour {
  const grey = 255 * (shade / 255) ** 0.45;
  return [grey, grey, grey];
}
