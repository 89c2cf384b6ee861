import { choleskySolve } from "../../numeric/cholesky-solve.ts";
import { symmetricEigen } from "../../numeric/symmetric-eigen.ts";

/** Level and tilt: determined by any ground. */
const GROUND = 3;
/** Shift east and north, turn about the vertical, scale: determined only by relief. */
const RELIEF = 4;
const COLUMNS = GROUND + RELIEF;

/** Height differences at cells, and how they would change; arrays by cell. */
export interface ReliefSample {
  readonly count: number;
  /** From the pivot, metres. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly z: Float64Array;
  /** Slopes of the fixed and of the moving surface at the same places. */
  readonly fixedX: Float64Array;
  readonly fixedY: Float64Array;
  readonly movingX: Float64Array;
  readonly movingY: Float64Array;
  /** Fixed less moving, metres. */
  readonly difference: Float64Array;
  readonly weight: Float64Array;
}

/**
 * Of height differences: variance of one cell times the number that vary as one. Of `relief` beforehand;
 * zeros hold it.
 */
export interface ReliefNoise {
  readonly varianceM2: number;
  readonly priorSigma: readonly number[];
}

export interface ReliefStep {
  /** To add: level (m), tilt east and north (m a metre). */
  readonly ground: readonly number[];
  /** New values, not steps: shift east, north (m), turn (rad), scale less one. */
  readonly relief: readonly number[];
  /** One standard deviation of each of `relief`; the prior's where the ground does not determine it. */
  readonly reliefSigma: readonly number[];
  /** Covariance of level and tilt, 3 x 3. */
  readonly groundCovariance: Float64Array;
}

/**
 * A direction counts when it is known better than half its prior: information above 3 of it. Less follows noise,
 * more leaves shifts that the ground does show.
 */
const LEAST_INFORMATION = 3;
/**
 * Correlation of the slopes that the two surfaces have along it, at least: noise looks like relief to either
 * alone, but not to both (0.5 and more over real ground, 0.05 over a noisy plane). It lies between the two: lower
 * follows noise, higher gives up on ground that has changed.
 */
const LEAST_CORRELATION = 0.3;

/**
 * One Gauss-Newton step of a surface onto another (Nuth & Kaeaeb 2011, The Cryosphere 5, 271-290, extended by
 * turn and scale): what moves sideways changes heights by its slope. Directions in the space of shift, turn
 * and scale that the ground does not determine are held at zero.
 */
export function reliefStep(
  sample: ReliefSample,
  noise: ReliefNoise,
  present: readonly number[],
): ReliefStep {
  const sums = sumsOf(sample);
  const fixed = reduced(sums.fixedFixed);
  const moving = reduced(sums.movingMoving);
  const common = reduced(sums.common);
  const mean = reduced(sums.mean);
  const { priorSigma, varianceM2 } = noise;
  // In units of the priors; divided by the noise: information relative to what was known before.
  const scaled = (m: Float64Array) =>
    m.map((v, k) => {
      const [i, j] = [Math.floor(k / RELIEF), k % RELIEF];
      return (v * (priorSigma[i] ?? 0) * (priorSigma[j] ?? 0)) / varianceM2;
    });
  const [a, ff, mm] = [scaled(common.matrix), scaled(fixed.matrix), scaled(moving.matrix)];
  const eigen = symmetricEigen(a, RELIEF);
  const determined = eigen.vectors.filter((v, k) => {
    const information = eigen.values[k] ?? 0;
    const either = Math.sqrt(quadratic(ff, v) * quadratic(mm, v));
    return information > LEAST_INFORMATION && information > LEAST_CORRELATION * either;
  });
  const inUnits = present.map((value, i) => value / (priorSigma[i] || 1));
  const relief = solveDetermined(determined, scaled(mean.matrix), mean.right, noise, inUnits);
  const step = relief.map((value, i) => value - (present[i] ?? 0));
  return {
    relief,
    ground: groundStep(sums.mean, step),
    reliefSigma: priorSigma.map((sigma, i) => {
      const variance = eigen.vectors.reduce((sum, v, k) => {
        const information = determined.includes(v) ? (eigen.values[k] ?? 0) : 0;
        return sum + (v[i] ?? 0) ** 2 / (1 + information);
      }, 0);
      return sigma * Math.sqrt(variance);
    }),
    groundCovariance: groundInverse(sums.mean).map((v) => v * varianceM2),
  };
}

/** New values of `relief` with a prior about zero, within the directions that are determined. */
function solveDetermined(
  determined: readonly (readonly number[])[],
  matrix: Float64Array,
  right: Float64Array,
  { priorSigma, varianceM2 }: ReliefNoise,
  present: readonly number[],
): readonly number[] {
  const size = determined.length;
  if (size === 0) return priorSigma.map(() => 0);
  const normal = new Float64Array(size * size);
  const b = new Float64Array(size);
  determined.forEach((v, i) => {
    determined.forEach((w, j) => {
      let sum = i === j ? 1 : 0;
      for (let k = 0; k < RELIEF * RELIEF; k += 1) {
        sum += (v[Math.floor(k / RELIEF)] ?? 0) * (matrix[k] ?? 0) * (w[k % RELIEF] ?? 0);
      }
      normal[i * size + j] = sum;
    });
    v.forEach((value, k) => {
      const pull = ((right[k] ?? 0) * (priorSigma[k] ?? 0)) / varianceM2 - (present[k] ?? 0);
      b[i] = (b[i] ?? 0) + value * pull;
    });
  });
  const steps = choleskySolve(normal, b);
  return priorSigma.map((sigma, k) =>
    determined.reduce((sum, v, i) => {
      const before = v.reduce((dot, value, m) => dot + value * (present[m] ?? 0), 0);
      return sum + sigma * (v[k] ?? 0) * (before + (steps[i] ?? 0));
    }, 0),
  );
}

/** Normal equations over all columns: level, tilt, relief; the right-hand side last in each row. */
type Sums = Float64Array;
const STRIDE = COLUMNS + 1;

function sumsOf(sample: ReliefSample) {
  const make = () => new Float64Array(COLUMNS * STRIDE);
  const sums = { fixedFixed: make(), movingMoving: make(), common: make(), mean: make() };
  const f = new Float64Array(STRIDE);
  const m = new Float64Array(STRIDE);
  const h = new Float64Array(STRIDE);
  for (let i = 0; i < sample.count; i += 1) {
    const w = sample.weight[i] ?? 0;
    if (w === 0) continue;
    columnsOf(f, sample, i, sample.fixedX[i] ?? 0, sample.fixedY[i] ?? 0);
    columnsOf(m, sample, i, sample.movingX[i] ?? 0, sample.movingY[i] ?? 0);
    for (let k = 0; k < STRIDE; k += 1) h[k] = ((f[k] ?? 0) + (m[k] ?? 0)) / 2;
    for (let j = 0; j < COLUMNS; j += 1) {
      for (let k = 0; k < STRIDE; k += 1) {
        const at = j * STRIDE + k;
        const [fj, fk, mj, mk] = [f[j] ?? 0, f[k] ?? 0, m[j] ?? 0, m[k] ?? 0];
        sums.fixedFixed[at] = (sums.fixedFixed[at] ?? 0) + w * fj * fk;
        sums.movingMoving[at] = (sums.movingMoving[at] ?? 0) + w * mj * mk;
        sums.common[at] = (sums.common[at] ?? 0) + (w * (fj * mk + mj * fk)) / 2;
        sums.mean[at] = (sums.mean[at] ?? 0) + w * (h[j] ?? 0) * (h[k] ?? 0);
      }
    }
  }
  return sums;
}

/** What a cell's height gains by each unknown, and what it has to gain. */
function columnsOf(out: Float64Array, s: ReliefSample, i: number, gx: number, gy: number): void {
  const [x, y] = [s.x[i] ?? 0, s.y[i] ?? 0];
  out[0] = 1;
  out[1] = x;
  out[2] = y;
  out[3] = -gx;
  out[4] = -gy;
  out[5] = gx * y - gy * x;
  out[6] = (s.z[i] ?? 0) - gx * x - gy * y;
  out[7] = s.difference[i] ?? 0;
}

/** Normal equations of the relief alone: level and tilt eliminated (Schur complement). */
function reduced(sums: Sums): { readonly matrix: Float64Array; readonly right: Float64Array } {
  const inverse = groundInverse(sums);
  const matrix = new Float64Array(RELIEF * RELIEF);
  const right = new Float64Array(RELIEF);
  for (let i = 0; i < RELIEF; i += 1) {
    for (let j = 0; j <= RELIEF; j += 1) {
      let sum = sums[(GROUND + i) * STRIDE + GROUND + j] ?? 0;
      for (let p = 0; p < GROUND; p += 1) {
        for (let q = 0; q < GROUND; q += 1) {
          sum -=
            (sums[(GROUND + i) * STRIDE + p] ?? 0) *
            (inverse[p * GROUND + q] ?? 0) *
            (sums[q * STRIDE + GROUND + j] ?? 0);
        }
      }
      if (j < RELIEF) matrix[i * RELIEF + j] = sum;
      else right[i] = sum;
    }
  }
  return { matrix, right };
}

function groundInverse(sums: Sums): Float64Array {
  const inverse = new Float64Array(GROUND * GROUND);
  for (let column = 0; column < GROUND; column += 1) {
    const matrix = new Float64Array(GROUND * GROUND);
    for (let k = 0; k < GROUND * GROUND; k += 1) {
      matrix[k] = sums[Math.floor(k / GROUND) * STRIDE + (k % GROUND)] ?? 0;
    }
    const unit = new Float64Array(GROUND);
    unit[column] = 1;
    choleskySolve(matrix, unit).forEach((value, row) => {
      inverse[row * GROUND + column] = value;
    });
  }
  return inverse;
}

/** Level and tilt once the relief has moved by `step`. */
function groundStep(sums: Sums, step: readonly number[]): readonly number[] {
  const inverse = groundInverse(sums);
  const right = Array.from({ length: GROUND }, (_, p) =>
    step.reduce(
      (sum, value, j) => sum - (sums[p * STRIDE + GROUND + j] ?? 0) * value,
      sums[p * STRIDE + COLUMNS] ?? 0,
    ),
  );
  return Array.from({ length: GROUND }, (_, p) =>
    right.reduce((sum, value, q) => sum + (inverse[p * GROUND + q] ?? 0) * value, 0),
  );
}

function quadratic(matrix: Float64Array, v: readonly number[]): number {
  let sum = 0;
  for (let k = 0; k < RELIEF * RELIEF; k += 1) {
    sum += (v[Math.floor(k / RELIEF)] ?? 0) * (matrix[k] ?? 0) * (v[k % RELIEF] ?? 0);
  }
  return sum;
}
