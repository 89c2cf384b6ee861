import { createSkylineMatrix, type SkylineMatrix } from "../../numeric/skyline-cholesky.ts";
import { CAMERA_UNKNOWNS } from "./bundle-problem.ts";
import { type NormalEquations, TILE } from "./normal-equations.ts";

/** Added to every diagonal element, so that an unknown without observations does not make it singular. */
const RIDGE = 1e-9;

/**
 * Writes the normal equations as one matrix, with Levenberg-Marquardt's share `damping` on the
 * diagonal (Marquardt 1963: in proportion to it) and held unknowns taken out.
 */
export function assemble(normal: NormalEquations, matrix: SkylineMatrix, damping: number): void {
  const { layout, tiles, tileRow, nearest, border, held } = normal;
  const { rows, values, row: rowOf } = matrix;
  const { cameras, lensOffset, size } = layout;
  values.fill(0);
  for (let a = 0; a < cameras; a += 1) {
    for (let b = nearest[a] ?? 0; b <= a; b += 1) {
      const tile = ((tileRow[a] ?? 0) + b) * TILE;
      for (let i = 0; i < CAMERA_UNKNOWNS; i += 1) {
        const row = (rowOf[a * CAMERA_UNKNOWNS + i] ?? 0) + b * CAMERA_UNKNOWNS;
        const end = b === a ? i + 1 : CAMERA_UNKNOWNS;
        for (let j = 0; j < end; j += 1) {
          values[row + j] = tiles[tile + i * CAMERA_UNKNOWNS + j] ?? 0;
        }
      }
    }
  }
  for (let row = lensOffset; row < size; row += 1) {
    const from = (row - lensOffset) * size;
    for (let column = 0; column <= row; column += 1) {
      values[(rowOf[row] ?? 0) + column] = border[from + column] ?? 0;
    }
  }
  for (let row = 0; row < rows; row += 1) {
    const at = (rowOf[row] ?? 0) + row;
    if (row >= size) values[at] = 1;
    else values[at] = (values[at] ?? 0) * (1 + damping) + RIDGE;
  }
  for (let unknown = lensOffset; unknown < size; unknown += 1) {
    if (held[unknown]) release(matrix, unknown);
  }
}

/** A matrix that the normal equations fit into: rows of cameras from the nearest one, and a full border. */
export function matrixOf({ layout, nearest }: NormalEquations): SkylineMatrix {
  return createSkylineMatrix(layout.size, (row) =>
    row < layout.lensOffset
      ? (nearest[Math.floor(row / CAMERA_UNKNOWNS)] ?? 0) * CAMERA_UNKNOWNS
      : 0,
  );
}

/** Replaces an unknown's row and column by those of the identity; it lies in the border. */
function release({ size, values, row }: SkylineMatrix, unknown: number): void {
  const at = row[unknown] ?? 0;
  values.fill(0, at, at + unknown);
  for (let below = unknown + 1; below < size; below += 1) values[(row[below] ?? 0) + unknown] = 0;
  values[at + unknown] = 1;
}
