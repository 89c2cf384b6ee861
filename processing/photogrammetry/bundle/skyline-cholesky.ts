/**
 * A symmetric positive definite matrix, lower triangle, row-major with `stride` numbers a row. Row i
 * is zero before column `first[i]` (its skyline), and so is its Cholesky factor: no fill-in falls
 * outside (George and Liu 1981, section 4.2). Rows come in threes with one `first`, a multiple of 3.
 */
export interface SkylineMatrix {
  readonly size: number;
  readonly stride: number;
  readonly values: Float64Array;
  readonly first: Int32Array;
}

/** Rows and columns that are worked on together: nine sums fit the registers of a CPU. */
const BLOCK = 3;

/** A matrix of zeros with room for `size` unknowns, rounded up to whole blocks. */
export function createSkylineMatrix(size: number): SkylineMatrix {
  const stride = Math.ceil(size / BLOCK) * BLOCK;
  return {
    size,
    stride,
    values: new Float64Array(stride * stride),
    first: new Int32Array(stride),
  };
}

/**
 * Replaces the matrix by its Cholesky factor L, A = L L'. Three rows at a time against three columns:
 * 6 loads for 9 products, where one row at a time needs 18.
 * @returns `false` when the matrix is not positive definite; the values are spoilt then.
 */
export function factorise({ stride, values, first }: SkylineMatrix): boolean {
  for (let i = 0; i < stride; i += BLOCK) {
    const rowA = i * stride;
    const rowB = rowA + stride;
    const rowC = rowB + stride;
    const from = first[i] ?? 0;
    for (let j = from; j <= i; j += BLOCK) {
      const columnA = j * stride;
      const columnB = columnA + stride;
      const columnC = columnB + stride;
      let s00 = values[rowA + j] ?? 0;
      let s01 = values[rowA + j + 1] ?? 0;
      let s02 = values[rowA + j + 2] ?? 0;
      let s10 = values[rowB + j] ?? 0;
      let s11 = values[rowB + j + 1] ?? 0;
      let s12 = values[rowB + j + 2] ?? 0;
      let s20 = values[rowC + j] ?? 0;
      let s21 = values[rowC + j + 1] ?? 0;
      let s22 = values[rowC + j + 2] ?? 0;
      for (let k = Math.max(from, first[j] ?? 0); k < j; k += 1) {
        const a = values[rowA + k] ?? 0;
        const b = values[rowB + k] ?? 0;
        const c = values[rowC + k] ?? 0;
        const x = values[columnA + k] ?? 0;
        const y = values[columnB + k] ?? 0;
        const z = values[columnC + k] ?? 0;
        s00 -= a * x;
        s01 -= a * y;
        s02 -= a * z;
        s10 -= b * x;
        s11 -= b * y;
        s12 -= b * z;
        s20 -= c * x;
        s21 -= c * y;
        s22 -= c * z;
      }
      if (j === i) {
        // Only the lower triangle counts: Cholesky of the 3x3 on the diagonal.
        const l00 = Math.sqrt(s00);
        const l10 = s10 / l00;
        const l20 = s20 / l00;
        const l11 = Math.sqrt(s11 - l10 * l10);
        const l21 = (s21 - l20 * l10) / l11;
        const l22 = Math.sqrt(s22 - l20 * l20 - l21 * l21);
        // A negative pivot makes NaN of everything after it.
        if (!(l22 > 0)) return false;
        values[rowA + i] = l00;
        values[rowB + i] = l10;
        values[rowB + i + 1] = l11;
        values[rowC + i] = l20;
        values[rowC + i + 1] = l21;
        values[rowC + i + 2] = l22;
        continue;
      }
      const l00 = 1 / (values[columnA + j] ?? 0);
      const l10 = values[columnB + j] ?? 0;
      const l11 = 1 / (values[columnB + j + 1] ?? 0);
      const l20 = values[columnC + j] ?? 0;
      const l21 = values[columnC + j + 1] ?? 0;
      const l22 = 1 / (values[columnC + j + 2] ?? 0);
      const a0 = s00 * l00;
      const a1 = (s01 - a0 * l10) * l11;
      const b0 = s10 * l00;
      const b1 = (s11 - b0 * l10) * l11;
      const c0 = s20 * l00;
      const c1 = (s21 - c0 * l10) * l11;
      values[rowA + j] = a0;
      values[rowA + j + 1] = a1;
      values[rowA + j + 2] = (s02 - a0 * l20 - a1 * l21) * l22;
      values[rowB + j] = b0;
      values[rowB + j + 1] = b1;
      values[rowB + j + 2] = (s12 - b0 * l20 - b1 * l21) * l22;
      values[rowC + j] = c0;
      values[rowC + j + 1] = c1;
      values[rowC + j + 2] = (s22 - c0 * l20 - c1 * l21) * l22;
    }
  }
  return true;
}

/** Solves A x = b with the factor; `x` holds b and is overwritten, `size` numbers or more. */
export function solveFactored(
  { size, stride, values, first }: SkylineMatrix,
  x: Float64Array,
): void {
  for (let i = 0; i < size; i += 1) {
    let sum = x[i] ?? 0;
    for (let k = first[i] ?? 0; k < i; k += 1) sum -= (values[i * stride + k] ?? 0) * (x[k] ?? 0);
    x[i] = sum / (values[i * stride + i] ?? 1);
  }
  for (let i = size - 1; i >= 0; i -= 1) {
    const xi = (x[i] ?? 0) / (values[i * stride + i] ?? 1);
    x[i] = xi;
    for (let k = first[i] ?? 0; k < i; k += 1) {
      x[k] = (x[k] ?? 0) - (values[i * stride + k] ?? 0) * xi;
    }
  }
}

/** The diagonal of the inverse: element j is the squared length of column j of L^-1. */
export function inverseDiagonal(matrix: SkylineMatrix): Float64Array {
  const { size, stride, values, first } = matrix;
  const diagonal = new Float64Array(size);
  const x = new Float64Array(size);
  for (let j = 0; j < size; j += 1) {
    x.fill(0, j);
    x[j] = 1 / (values[j * stride + j] ?? 1);
    let sum = (x[j] ?? 0) ** 2;
    for (let i = j + 1; i < size; i += 1) {
      let dot = 0;
      for (let k = Math.max(j, first[i] ?? 0); k < i; k += 1) {
        dot += (values[i * stride + k] ?? 0) * (x[k] ?? 0);
      }
      const xi = -dot / (values[i * stride + i] ?? 1);
      x[i] = xi;
      sum += xi * xi;
    }
    diagonal[j] = sum;
  }
  return diagonal;
}
