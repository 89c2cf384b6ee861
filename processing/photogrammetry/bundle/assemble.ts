import { CAMERA_UNKNOWNS } from "./bundle-problem.ts";
import { type NormalEquations, tileOffset } from "./normal-equations.ts";
import type { SkylineMatrix } from "./skyline-cholesky.ts";

/** Added to every diagonal element, so that an unknown that nothing speaks of does not make it 0. */
const RIDGE = 1e-9;

/**
 * Writes the normal equations as one matrix, with Levenberg-Marquardt's share `damping` on the
 * diagonal (Marquardt 1963: in proportion to it) and held unknowns taken out.
 */
export function assemble(normal: NormalEquations, matrix: SkylineMatrix, damping: number): void {
  const { layout, tiles, isShared, border, held } = normal;
  const { stride, values, first } = matrix;
  const { cameras, lensOffset, size } = layout;
  values.fill(0);
  for (let a = 0; a < cameras; a += 1) {
    let nearest = a;
    for (let b = a; b >= 0; b -= 1) {
      if (b < a && !isShared[(a * (a + 1)) / 2 + b]) continue;
      nearest = b;
      const tile = tileOffset(a, b);
      for (let i = 0; i < CAMERA_UNKNOWNS; i += 1) {
        const row = (a * CAMERA_UNKNOWNS + i) * stride + b * CAMERA_UNKNOWNS;
        for (let j = 0; j < CAMERA_UNKNOWNS; j += 1) {
          values[row + j] = tiles[tile + i * CAMERA_UNKNOWNS + j] ?? 0;
        }
      }
    }
    first.fill(nearest * CAMERA_UNKNOWNS, a * CAMERA_UNKNOWNS, (a + 1) * CAMERA_UNKNOWNS);
  }
  first.fill(0, lensOffset);
  for (let row = lensOffset; row < size; row += 1) {
    const from = (row - lensOffset) * size;
    for (let column = 0; column <= row; column += 1) {
      values[row * stride + column] = border[from + column] ?? 0;
    }
  }
  for (let row = 0; row < stride; row += 1) {
    const at = row * stride + row;
    if (row >= size) values[at] = 1;
    else values[at] = (values[at] ?? 0) * (1 + damping) + RIDGE;
  }
  for (let unknown = lensOffset; unknown < size; unknown += 1) {
    if (held[unknown]) release(matrix, unknown);
  }
}

/** Replaces an unknown's row and column by those of the identity. */
function release({ size, stride, values }: SkylineMatrix, unknown: number): void {
  values.fill(0, unknown * stride, unknown * stride + unknown);
  for (let row = unknown + 1; row < size; row += 1) values[row * stride + unknown] = 0;
  values[unknown * stride + unknown] = 1;
}
