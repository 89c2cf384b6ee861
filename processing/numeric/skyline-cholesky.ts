/**
 * A symmetric positive definite matrix, lower triangle, row by row. Row i is zero before column `first[i]`
 * (its skyline), and so is its Cholesky factor: no fill-in falls outside (George and Liu 1981, section
 * 4.2), and nothing outside is stored. Element (i, j) is `values[row[i] + j]`.
 */
export interface SkylineMatrix {
  /** Unknowns; rows that round them up to whole blocks follow. */
  readonly size: number;
  /** Rows in threes with one `first`, a multiple of 3; the last ones may be no unknowns. */
  readonly rows: number;
  readonly values: Float64Array;
  readonly first: Int32Array;
  readonly row: Int32Array;
}

/** Rows and columns that are worked on together: nine sums fit the registers of a CPU. */
const BLOCK = 3;

/**
 * A matrix of zeros for `size` unknowns.
 * @param firstOf first column of a row that may be other than 0; rounded down to whole blocks
 */
export function createSkylineMatrix(size: number, firstOf: (row: number) => number): SkylineMatrix {
  const rows = Math.ceil(size / BLOCK) * BLOCK;
  const first = new Int32Array(rows);
  const row = new Int32Array(rows);
  let length = 0;
  for (let block = 0; block < rows; block += BLOCK) {
    let from = block;
    for (let i = block; i < Math.min(size, block + BLOCK); i += 1) {
      from = Math.min(from, Math.floor(firstOf(i) / BLOCK) * BLOCK);
    }
    for (let i = block; i < block + BLOCK; i += 1) {
      first[i] = from;
      row[i] = length - from;
      // Up to the end of the block, which is worked on as a whole.
      length += block + BLOCK - from;
    }
  }
  return { size, rows, values: new Float64Array(length), first, row };
}

/**
 * Replaces the matrix by its Cholesky factor L, A = L L'. Three rows at a time against three columns:
 * 6 loads for 9 products, where one row at a time needs 18.
 * @returns `false` when the matrix is not positive definite; the values are spoilt then.
 */
export function factorise({ rows, values, first, row }: SkylineMatrix): boolean {
  for (let i = 0; i < rows; i += BLOCK) {
    const rowA = row[i] ?? 0;
    const rowB = row[i + 1] ?? 0;
    const rowC = row[i + 2] ?? 0;
    const from = first[i] ?? 0;
    for (let j = from; j <= i; j += BLOCK) {
      const columnA = row[j] ?? 0;
      const columnB = row[j + 1] ?? 0;
      const columnC = row[j + 2] ?? 0;
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
export function solveFactored({ size, values, first, row }: SkylineMatrix, x: Float64Array): void {
  for (let i = 0; i < size; i += 1) {
    const at = row[i] ?? 0;
    let sum = x[i] ?? 0;
    for (let k = first[i] ?? 0; k < i; k += 1) sum -= (values[at + k] ?? 0) * (x[k] ?? 0);
    x[i] = sum / (values[at + i] ?? 1);
  }
  for (let i = size - 1; i >= 0; i -= 1) {
    const at = row[i] ?? 0;
    const xi = (x[i] ?? 0) / (values[at + i] ?? 1);
    x[i] = xi;
    for (let k = first[i] ?? 0; k < i; k += 1) x[k] = (x[k] ?? 0) - (values[at + k] ?? 0) * xi;
  }
}

/**
 * Replaces the factor by the inverse within the skyline, and yields the inverse's diagonal. From L' Z = L^-1,
 * column by column from the last: an element needs only those of Z where the factor is not zero (Takahashi,
 * Fagan and Chin 1973; Erisman and Tinney 1975, doi:10.1145/360680.360704). It takes about as long as two
 * factorisations, where columns of L^-1 take the square of the size times the width of the skyline.
 */
export function inverseDiagonal({ size, rows, values, first, row }: SkylineMatrix): Float64Array {
  const diagonal = new Float64Array(size);
  const column = new Float64Array(rows);
  const product = new Float64Array(rows);
  const below = new Int32Array(rows);
  for (let j = rows - 1; j >= 0; j -= 1) {
    let count = 0;
    column.fill(0, j);
    product.fill(0, j);
    for (let i = j + 1; i < rows; i += 1) {
      if ((first[i] ?? 0) > j) continue;
      column[i] = values[(row[i] ?? 0) + j] ?? 0;
      below[count] = i;
      count += 1;
    }
    for (let b = 0; b < count; b += 1) {
      const i = below[b] ?? 0;
      const at = row[i] ?? 0;
      const ci = column[i] ?? 0;
      let sum = (values[at + i] ?? 0) * ci;
      for (let k = j + 1; k < i; k += 1) {
        const z = values[at + k] ?? 0;
        sum += z * (column[k] ?? 0);
        product[k] = (product[k] ?? 0) + z * ci;
      }
      product[i] = (product[i] ?? 0) + sum;
    }
    const pivot = 1 / (values[(row[j] ?? 0) + j] ?? 1);
    let variance = pivot;
    for (let b = 0; b < count; b += 1) {
      const i = below[b] ?? 0;
      const z = -pivot * (product[i] ?? 0);
      values[(row[i] ?? 0) + j] = z;
      variance -= (column[i] ?? 0) * z;
    }
    variance *= pivot;
    values[(row[j] ?? 0) + j] = variance;
    if (j < size) diagonal[j] = variance;
  }
  return diagonal;
}
