/** Targets of a regression with their features: one row for each, of equal lengths. */
export interface TrainingSet {
  readonly features: readonly Float32Array[];
  readonly targets: readonly number[];
}

/** A ridge regression in its dual form, with everything that leave-one-out needs. */
export interface Ridge {
  /** Penalty, in units of the mean of the kernel's diagonal. */
  readonly penalty: number;
  /** What the model without one example says of that example, in the order of the examples. */
  readonly looPredictions: readonly number[];
  /** Target less that prediction. */
  readonly looResiduals: readonly number[];
  /** The prediction for new features, and those of the models without one example each. */
  predict(features: Float32Array): { readonly at: number; readonly without: readonly number[] };
}

/**
 * Penalties that are tried, in units of the mean of the kernel's diagonal: half decades from 1e-4 to 30. Finer
 * steps cost a solution each; the error changes little within half a decade.
 */
const PENALTIES: readonly number[] = Array.from({ length: 12 }, (_, i) => 10 ** (i / 2 - 4));
/** A feature that spreads less than so is constant, and says nothing. Features are of the size of 1. */
const LEAST_DEVIATION = 1e-6;

/**
 * Fits linear-kernel ridge regression with an intercept that is not penalised, on features that are
 * standardised by the examples; of `penalties` takes the one with the least leave-one-out error. Three
 * examples at least. Leave-one-out is closed: with G the inverse of [[K + pI, 1], [1', 0]] and a = G y, the
 * model without example i has the coefficients a - (a_i / G_ii) G_i, and misses its target by a_i / G_ii
 * (block inverse; Cawley and Talbot 2004). The scale of the features is that of all examples throughout.
 * @throws RangeError for features of different lengths or values that are not finite.
 */
export function fitRidge(
  { features, targets }: TrainingSet,
  penalties: readonly number[] = PENALTIES,
): Ridge {
  requireSound(features, targets);
  const scale = scaleOf(features);
  const rows = features.map((row) => scale(row));
  const count = rows.length;
  const kernel = new Float64Array(count * count);
  let diagonal = 0;
  for (const [i, a] of rows.entries()) {
    for (const [j, b] of rows.entries()) if (j <= i) kernel[i * count + j] = dot(a, b);
    for (let j = 0; j < i; j++) kernel[j * count + i] = kernel[i * count + j] ?? 0;
    diagonal += (kernel[i * count + i] ?? 0) / count;
  }
  // Examples that are all alike: any penalty leaves their mean.
  const unit = diagonal > 0 ? diagonal : 1;
  let best: Solution | undefined;
  for (const penalty of penalties) {
    const solution = solve(kernel, targets, penalty, penalty * unit);
    if (best === undefined || solution.squares < best.squares) best = solution;
  }
  if (best === undefined) throw new RangeError("a ridge regression needs a penalty");
  const { inverse, coefficients, residuals } = best;
  return {
    penalty: best.penalty,
    looResiduals: residuals,
    looPredictions: residuals.map((residual, i) => (targets[i] ?? 0) - residual),
    predict(given) {
      requireSound([given, ...features.slice(0, 1)], [0, 0]);
      const x = scale(given);
      const weights = [...rows.map((row) => dot(row, x)), 1];
      const at = dot(weights, coefficients);
      const without = residuals.map((residual, i) => {
        const row = inverse.subarray(i * (count + 1), (i + 1) * (count + 1));
        return at - residual * dot(weights, row);
      });
      return { at, without };
    },
  };
}

interface Solution {
  readonly penalty: number;
  /** Symmetric, of the order n + 1, row after row. */
  readonly inverse: Float64Array;
  /** Of the examples, then the intercept. */
  readonly coefficients: Float64Array;
  readonly residuals: readonly number[];
  readonly squares: number;
}

/** `kernel`: of the order n, row after row; `added`: to its diagonal. */
function solve(
  kernel: Float64Array,
  targets: readonly number[],
  penalty: number,
  added: number,
): Solution {
  const n = targets.length;
  const core = kernel.slice();
  for (let i = 0; i < n; i++) core[i * n + i] = (core[i * n + i] ?? 0) + added;
  invertPositive(core, n);
  // Inverse of the bordered matrix by its Schur complement -total.
  const sums = Float64Array.from({ length: n }, (_, i) =>
    core.subarray(i * n, (i + 1) * n).reduce((sum, value) => sum + value, 0),
  );
  const total = sums.reduce((sum, value) => sum + value, 0);
  const order = n + 1;
  const inverse = new Float64Array(order * order);
  for (let i = 0; i < n; i++) {
    const si = sums[i] ?? 0;
    for (let j = 0; j < n; j++) {
      inverse[i * order + j] = (core[i * n + j] ?? 0) - (si * (sums[j] ?? 0)) / total;
    }
    inverse[i * order + n] = si / total;
    inverse[n * order + i] = si / total;
  }
  inverse[n * order + n] = -1 / total;
  const coefficients = Float64Array.from({ length: order }, (_, i) =>
    dot(inverse.subarray(i * order, i * order + n), targets),
  );
  const residuals = targets.map((_, i) => (coefficients[i] ?? 0) / (inverse[i * order + i] ?? 1));
  const squares = residuals.reduce((sum, residual) => sum + residual * residual, 0);
  return { penalty, inverse, coefficients, residuals, squares };
}

/** Inverts a symmetric positive definite matrix in place (Gauss-Jordan; such a one needs no pivoting). */
function invertPositive(matrix: Float64Array, n: number): void {
  for (let k = 0; k < n; k++) {
    const pivot = 1 / (matrix[k * n + k] ?? 1);
    matrix[k * n + k] = 1;
    for (let j = 0; j < n; j++) matrix[k * n + j] = (matrix[k * n + j] ?? 0) * pivot;
    for (let i = 0; i < n; i++) {
      if (i === k) continue;
      const factor = matrix[i * n + k] ?? 0;
      matrix[i * n + k] = 0;
      for (let j = 0; j < n; j++) {
        matrix[i * n + j] = (matrix[i * n + j] ?? 0) - factor * (matrix[k * n + j] ?? 0);
      }
    }
  }
}

/** Puts features to mean 0 and variance 1 over the examples, and divides by their number. */
export function scaleOf(
  features: readonly Float32Array[],
): (features: Float32Array) => Float64Array {
  const length = features[0]?.length ?? 0;
  const means = new Float64Array(length);
  const factors = new Float64Array(length);
  for (let f = 0; f < length; f++) {
    let sum = 0;
    for (const row of features) sum += row[f] ?? 0;
    const mean = sum / features.length;
    let squares = 0;
    for (const row of features) squares += ((row[f] ?? 0) - mean) ** 2;
    const deviation = Math.sqrt(squares / features.length);
    means[f] = mean;
    factors[f] = deviation < LEAST_DEVIATION ? 0 : 1 / (deviation * Math.sqrt(length));
  }
  return (row) =>
    Float64Array.from(row, (value, f) => (value - (means[f] ?? 0)) * (factors[f] ?? 0));
}

function requireSound(features: readonly Float32Array[], targets: readonly number[]): void {
  const length = features[0]?.length ?? 0;
  if (features.length !== targets.length || features.some((row) => row.length !== length)) {
    throw new RangeError("features and targets of a regression must be of equal lengths");
  }
  const areNumbers = features.every((row) => row.every(Number.isFinite));
  if (!areNumbers || !targets.every(Number.isFinite)) {
    throw new RangeError("features and targets of a regression must be finite numbers");
  }
}

function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
