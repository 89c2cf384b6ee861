/** Grey levels of any scale, row-major from the top left. */
export interface GreyGrid {
  readonly pixels: Uint8Array | Float32Array;
  readonly width: number;
  readonly height: number;
}

/**
 * Variance of the 4-neighbour Laplacian (Pech-Pacheco et al. 2000, LAPV), squared grey levels; both sides are
 * 3 pixels or more.
 */
export function laplacianVariance({ pixels, width, height }: GreyGrid): number {
  let sum = 0;
  let squares = 0;
  for (let row = 1; row < height - 1; row++) {
    // Of one row of bytes these are whole numbers below 2^31, which are added up faster than fractions.
    let rowSum = 0;
    let rowSquares = 0;
    for (let i = row * width + 1; i < (row + 1) * width - 1; i++) {
      const value =
        4 * (pixels[i] ?? 0) -
        (pixels[i - 1] ?? 0) -
        (pixels[i + 1] ?? 0) -
        (pixels[i - width] ?? 0) -
        (pixels[i + width] ?? 0);
      rowSum += value;
      rowSquares += value * value;
    }
    sum += rowSum;
    squares += rowSquares;
  }
  const count = (width - 2) * (height - 2);
  return squares / count - (sum / count) ** 2;
}
