/**
 * Solves A x = b for a symmetric, positive definite A (row-major, `b.length` squared; overwritten) by
 * Cholesky's decomposition (Golub & Van Loan, Matrix Computations, 4.2.5). Only the lower half of A is read.
 * @returns `undefined` when A is not positive definite.
 */
export function tryCholeskySolve(a: Float64Array, b: Float64Array): Float64Array | undefined {
  const n = b.length;
  const x = Float64Array.from(b);
  for (let i = 0; i < n; i += 1) {
    for (let j = 0; j <= i; j += 1) {
      let sum = a[i * n + j] ?? 0;
      for (let k = 0; k < j; k += 1) sum -= (a[i * n + k] ?? 0) * (a[j * n + k] ?? 0);
      if (i > j) {
        a[i * n + j] = sum / (a[j * n + j] ?? 0);
      } else {
        if (!(sum > 0)) return undefined;
        a[i * n + i] = Math.sqrt(sum);
      }
    }
  }
  for (let i = 0; i < n; i += 1) {
    let sum = x[i] ?? 0;
    for (let k = 0; k < i; k += 1) sum -= (a[i * n + k] ?? 0) * (x[k] ?? 0);
    x[i] = sum / (a[i * n + i] ?? 0);
  }
  for (let i = n - 1; i >= 0; i -= 1) {
    let sum = x[i] ?? 0;
    for (let k = i + 1; k < n; k += 1) sum -= (a[k * n + i] ?? 0) * (x[k] ?? 0);
    x[i] = sum / (a[i * n + i] ?? 0);
  }
  return x;
}

/** The same, of a matrix that must be. @throws RangeError when A is not positive definite. */
export function choleskySolve(a: Float64Array, b: Float64Array): Float64Array {
  const x = tryCholeskySolve(a, b);
  if (x === undefined) throw new RangeError("matrix is not positive definite");
  return x;
}
