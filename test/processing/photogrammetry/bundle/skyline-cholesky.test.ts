import { describe, expect, it } from "vitest";
import {
  createSkylineMatrix,
  factorise,
  inverseDiagonal,
  solveFactored,
} from "../../../../processing/photogrammetry/bundle/skyline-cholesky.ts";
import { seededRandom } from "../../../support/seeded-random.ts";

const SIZE = 23;

/** A symmetric matrix with a dominant diagonal, zero left of a skyline that steps with rows of three. */
function skylineExample() {
  const random = seededRandom(9);
  const matrix = createSkylineMatrix(SIZE);
  const { stride, values, first } = matrix;
  const full = Array.from({ length: SIZE }, () => new Float64Array(SIZE));
  for (let i = 0; i < stride; i += 1) {
    // The last rows are full, as the border of a normal matrix is.
    first[i] = i >= 18 ? 0 : Math.max(0, Math.floor(i / 3) - 2) * 3;
    for (let j = first[i] ?? 0; j <= i && i < SIZE; j += 1) {
      const value = i === j ? 12 + random() : random() - 0.5;
      values[i * stride + j] = value;
      for (const [row, column] of [
        [i, j],
        [j, i],
      ] as const) {
        const line = full[row];
        if (line) line[column] = value;
      }
    }
    if (i >= SIZE) values[i * stride + i] = 1;
  }
  return { matrix, full };
}

const times = (full: readonly Float64Array[], x: Float64Array) =>
  full.map((row) => row.reduce((sum, a, i) => sum + a * (x[i] ?? 0), 0));

describe("the skyline factorisation", () => {
  it("solves: the matrix times the solution is the right side", () => {
    const { matrix, full } = skylineExample();
    const b = Float64Array.from({ length: SIZE }, (_, i) => Math.sin(i + 1));
    const x = b.slice();
    expect(factorise(matrix)).toBe(true);
    solveFactored(matrix, x);
    times(full, x).forEach((value, i) => {
      expect(value).toBeCloseTo(b[i] ?? 0, 12);
    });
  });

  it("gives the diagonal of the inverse: solutions for unit vectors", () => {
    const { matrix } = skylineExample();
    factorise(matrix);
    const diagonal = inverseDiagonal(matrix);
    expect(diagonal).toHaveLength(SIZE);
    diagonal.forEach((value, i) => {
      const unit = new Float64Array(SIZE);
      unit[i] = 1;
      solveFactored(matrix, unit);
      expect(value).toBeCloseTo(unit[i] ?? 0, 14);
    });
  });

  it("says no to a matrix that is not positive definite", () => {
    const { matrix } = skylineExample();
    matrix.values[7 * matrix.stride + 7] = -1;
    expect(factorise(matrix)).toBe(false);
  });
});
