import { type GreyGrid, laplacianVariance } from "./laplacian-variance.ts";

/** Sizes that are compared: whole, half, quarter and eighth. */
const SCALES = 4;
/** Shorter side of the smallest of them, pixels: a Laplacian needs its neighbours. */
const LEAST_SIDE = 3;

/**
 * How much of an image's structure is fine: the variance of the Laplacian at half size over that at an eighth.
 * Contrast cancels out, blur does not: a blur of 2 pixels takes nearly all of the first and little of the second.
 * White noise is taken off both: halving an image leaves a quarter of its variance. `undefined`: the image is
 * too small, or has no structure at an eighth of its size.
 * @param whole variance of the Laplacian of the image itself
 */
export function finenessOf(image: GreyGrid, whole: number): number | undefined {
  if (Math.min(image.width, image.height) >> (SCALES - 1) < LEAST_SIDE) return undefined;
  const half = halved(image);
  const quarter = halved(half);
  const eighth = laplacianVariance(halved(quarter)) - laplacianVariance(quarter) / 4;
  return eighth <= 0 ? undefined : (laplacianVariance(half) - whole / 4) / eighth;
}

/** Means of 2 x 2 pixels; an odd last row or column is left out. */
function halved({ pixels, width, height }: GreyGrid): GreyGrid {
  const half = { width: width >> 1, height: height >> 1 };
  const means = new Float32Array(half.width * half.height);
  for (let row = 0; row < half.height; row++) {
    let i = 2 * row * width;
    const end = (row + 1) * half.width;
    for (let at = row * half.width; at < end; at++, i += 2) {
      means[at] =
        ((pixels[i] ?? 0) +
          (pixels[i + 1] ?? 0) +
          (pixels[i + width] ?? 0) +
          (pixels[i + width + 1] ?? 0)) /
        4;
    }
  }
  return { ...half, pixels: means };
}
