/** Eigenvalues of a symmetric matrix, falling, and the unit vector of each. */
export interface SymmetricEigen {
  readonly values: readonly number[];
  /** `vectors[k]` belongs to `values[k]`. */
  readonly vectors: readonly (readonly number[])[];
}

/** Sweeps over all pairs; convergence is quadratic: matrices of 3 to 8 rows take five to eight. */
const MAX_SWEEPS = 30;

/**
 * Jacobi's method of rotations (Golub & Van Loan 2013, section 8.5): slow for large matrices, exact to
 * the last digits for the small ones here.
 * @param matrix `size * size`, row-major
 */
export function symmetricEigen(matrix: Float64Array, size: number): SymmetricEigen {
  const a = matrix.slice();
  const v = new Float64Array(size * size);
  for (let i = 0; i < size; i += 1) v[i * size + i] = 1;
  const at = (i: number, j: number) => a[i * size + j] ?? 0;
  for (let sweep = 0; sweep < MAX_SWEEPS; sweep += 1) {
    let off = 0;
    let diagonal = 0;
    for (let i = 0; i < size; i += 1) {
      diagonal += at(i, i) ** 2;
      for (let j = 0; j < i; j += 1) off += at(i, j) ** 2;
    }
    if (off <= 1e-30 * diagonal) break;
    for (let p = 0; p < size; p += 1) {
      for (let q = p + 1; q < size; q += 1) {
        if (at(p, q) === 0) continue;
        const theta = (at(q, q) - at(p, p)) / (2 * at(p, q));
        const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.hypot(theta, 1));
        const c = 1 / Math.hypot(t, 1);
        turn(a, size, p, q, c, t * c);
        turnColumns(v, size, p, q, c, t * c);
      }
    }
  }
  const order = Array.from({ length: size }, (_, i) => i).sort((i, j) => at(j, j) - at(i, i));
  return {
    values: order.map((i) => at(i, i)),
    vectors: order.map((i) => Array.from({ length: size }, (_, row) => v[row * size + i] ?? 0)),
  };
}

/** `J' a J` with the rotation J in the plane of p and q. */
function turn(a: Float64Array, size: number, p: number, q: number, c: number, s: number): void {
  turnColumns(a, size, p, q, c, s);
  for (let k = 0; k < size; k += 1) {
    const x = a[p * size + k] ?? 0;
    const y = a[q * size + k] ?? 0;
    a[p * size + k] = c * x - s * y;
    a[q * size + k] = s * x + c * y;
  }
}

function turnColumns(
  a: Float64Array,
  size: number,
  p: number,
  q: number,
  c: number,
  s: number,
): void {
  for (let k = 0; k < size; k += 1) {
    const x = a[k * size + p] ?? 0;
    const y = a[k * size + q] ?? 0;
    a[k * size + p] = c * x - s * y;
    a[k * size + q] = s * x + c * y;
  }
}
