import { describe, expect, it } from "vitest";
import {
  createSkylineMatrix,
  factorise,
  inverseDiagonal,
  solveFactored,
} from "../../../processing/numeric/skyline-cholesky.ts";
import { seededRandom } from "../../support/seeded-random.ts";

const SIZE = 23;

/** A symmetric matrix with a dominant diagonal, zero left of a skyline. */
function skylineExample() {
  const random = seededRandom(9);
  // Rows that begin in the middle of a block, and last ones that are full, as the border of a normal matrix is.
  const firstOf = (i: number) => (i >= 18 ? 0 : Math.max(0, i - 8));
  const matrix = createSkylineMatrix(SIZE, firstOf);
  const { rows, values, row: rowOf } = matrix;
  const full = Array.from({ length: SIZE }, () => new Float64Array(SIZE));
  for (let i = 0; i < rows; i += 1) {
    const at = rowOf[i] ?? 0;
    for (let j = firstOf(i); j <= i && i < SIZE; j += 1) {
      const value = i === j ? 12 + random() : random() - 0.5;
      values[at + j] = value;
      for (const [row, column] of [
        [i, j],
        [j, i],
      ] as const) {
        const line = full[row];
        if (line) line[column] = value;
      }
    }
    if (i >= SIZE) values[at + i] = 1;
  }
  return { matrix, full };
}

const times = (full: readonly Float64Array[], x: Float64Array) =>
  full.map((row) => row.reduce((sum, a, i) => sum + a * (x[i] ?? 0), 0));

describe("the skyline factorisation", () => {
  it("the skyline factorisation solves: the matrix times the solution is the right side", () => {
    const { matrix, full } = skylineExample();
    const b = Float64Array.from({ length: SIZE }, (_, i) => Math.sin(i + 1));
    const x = b.slice();
    expect(factorise(matrix)).toBe(true);
    solveFactored(matrix, x);
    times(full, x).forEach((value, i) => {
      expect(value).toBeCloseTo(b[i] ?? 0, 12);
    });
  });

  it("the skyline factorisation gives the diagonal of the inverse: solutions for unit vectors", () => {
    const { matrix } = skylineExample();
    factorise(matrix);
    const diagonal = inverseDiagonal({ ...matrix, values: matrix.values.slice() });
    expect(diagonal).toHaveLength(SIZE);
    diagonal.forEach((value, i) => {
      const unit = new Float64Array(SIZE);
      unit[i] = 1;
      solveFactored(matrix, unit);
      expect(value).toBeCloseTo(unit[i] ?? 0, 14);
    });
  });

  it("stores what lies within the skyline alone", () => {
    const { matrix } = skylineExample();
    // Blocks of three begin at 0 up to the fourth, then one block later each; the last two are full.
    expect(matrix.values).toHaveLength(3 * (3 + 6 + 9 + 12 + 12 + 12 + 21 + 24));
  });

  it("the skyline factorisation says no to a matrix that is not positive definite", () => {
    const { matrix } = skylineExample();
    matrix.values[(matrix.row[7] ?? 0) + 7] = -1;
    expect(factorise(matrix)).toBe(false);
  });
});
