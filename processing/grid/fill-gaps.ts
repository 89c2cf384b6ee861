/**
 * Fills every NaN from the known values around it, however wide the gap: means over ever larger blocks,
 * taken from the smallest block that knows anything (the pull-push of Gortler et al. 1996). Known
 * values stay as they are; all NaN stays all NaN.
 */
export function fillGaps(values: Float32Array, width: number, height: number): Float32Array {
  if (!values.some(Number.isNaN)) return values.slice();
  if (width === 1 && height === 1) return values.slice();
  const halfWidth = Math.ceil(width / 2);
  const halfHeight = Math.ceil(height / 2);
  const means = new Float32Array(halfWidth * halfHeight);
  for (let y = 0; y < halfHeight; y += 1) {
    for (let x = 0; x < halfWidth; x += 1) {
      let sum = 0;
      let count = 0;
      for (let j = 2 * y; j < Math.min(height, 2 * y + 2); j += 1) {
        for (let i = 2 * x; i < Math.min(width, 2 * x + 2); i += 1) {
          const value = values[j * width + i] ?? 0;
          if (Number.isNaN(value)) continue;
          sum += value;
          count += 1;
        }
      }
      means[y * halfWidth + x] = sum / count;
    }
  }
  const coarse = fillGaps(means, halfWidth, halfHeight);
  const out = values.slice();
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if (Number.isNaN(values[y * width + x])) {
        out[y * width + x] = smoothAt(coarse, halfWidth, halfHeight, x, y);
      }
    }
  }
  return out;
}

/** Bilinear between the blocks' middles: blocks would leave steps. */
function smoothAt(
  coarse: Float32Array,
  width: number,
  height: number,
  x: number,
  y: number,
): number {
  const column = x >> 1;
  const row = y >> 1;
  const besideX = Math.min(width - 1, Math.max(0, column + (x % 2 === 0 ? -1 : 1)));
  const besideY = Math.min(height - 1, Math.max(0, row + (y % 2 === 0 ? -1 : 1)));
  const at = (i: number, j: number) => coarse[j * width + i] ?? 0;
  return (
    0.75 * (0.75 * at(column, row) + 0.25 * at(besideX, row)) +
    0.25 * (0.75 * at(column, besideY) + 0.25 * at(besideX, besideY))
  );
}
