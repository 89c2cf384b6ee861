import { upperMedian } from "../numeric/median.ts";
import { symmetricEigen } from "../numeric/symmetric-eigen.ts";
import { type Rotation, rotate, type Vector3 } from "./rotation.ts";
import { applySimilarity, type Similarity } from "./similarity.ts";

export interface FittedSimilarity extends Similarity {
  /** Root mean square distance of the pairs that count, metres in the frame of `to`. */
  readonly rmsM: number;
  /** One standard deviation of the scale by those distances, without unit. */
  readonly scaleSigma: number;
  /** Pairs that count. */
  readonly used: number;
}

/** Fewer pairs leave no residual to check the fit by. */
const MIN_PAIRS = 4;
/** Rounds of reweighting; Cauchy's weights settle within ten where a quarter of the pairs is wild. */
const ROUNDS = 15;
/** Cauchy's constant for 95 % efficiency at normal errors (Holland & Welsch 1977). */
const CAUCHY = 2.385;
/** Median length of an error in space over its standard deviation along one axis (chi, 3 degrees of freedom). */
const MEDIAN_LENGTH = 1.538;
/** Pairs farther off than this many standard deviations do not count; of normal errors 0.3 %. */
const MOST_SIGMAS = 3.76;
/** Least scale of errors, metres: exact pairs must not divide by zero. */
const LEAST_SIGMA_M = 1e-6;
/**
 * Least share of the spread that must lie across the main axis: points on a line leave the rotation about it open.
 * 0.03 is 2 m across a strip of 12 m. Less accepts strips that roll about their axis, more refuses narrow ones
 * that hold.
 */
const LEAST_BREADTH = 0.03;

/**
 * The similarity that brings points onto their partners with least squares (Horn 1987, "Closed-form
 * solution of absolute orientation using unit quaternions"; scale of Umeyama 1991, eq. 42), reweighted
 * so that a quarter of the pairs may be wrong. Cameras of one flight in two adjustments: residuals are
 * what the two adjustments bent differently, and are correlated, so that `scaleSigma` is a lower bound.
 * @param from three numbers a point, metres; `to` its partners in the same order
 * @returns `undefined` with fewer than four pairs, or when they lie on a line
 */
export function fitSimilarity(from: Float64Array, to: Float64Array): FittedSimilarity | undefined {
  const count = from.length / 3;
  if (count !== to.length / 3) throw new RangeError("points without partners");
  if (count < MIN_PAIRS) return undefined;
  let weights = new Float64Array(count).fill(1);
  let fitted = weightedSimilarity(from, to, weights);
  for (let round = 0; round < ROUNDS && fitted !== undefined; round += 1) {
    const lengths = distances(fitted, from, to);
    const sigma = Math.max(LEAST_SIGMA_M, (upperMedian(lengths) ?? 0) / MEDIAN_LENGTH);
    const isLast = round === ROUNDS - 1;
    weights = lengths.map((length) => {
      const u = length / sigma;
      return isLast ? Number(u <= MOST_SIGMAS) : 1 / (1 + (u / CAUCHY) ** 2);
    });
    fitted = weightedSimilarity(from, to, weights);
  }
  if (fitted === undefined) return undefined;
  const used = weights.reduce((sum, weight) => sum + weight, 0);
  if (used < MIN_PAIRS) return undefined;
  const lengths = distances(fitted, from, to);
  const squares = lengths.reduce((sum, length, i) => sum + (weights[i] ?? 0) * length ** 2, 0);
  // Three coordinates a pair, less the seven unknowns.
  const sigma = Math.sqrt(squares / (3 * used - 7));
  return {
    scale: fitted.scale,
    rotation: fitted.rotation,
    translation: fitted.translation,
    rmsM: Math.sqrt(squares / used),
    scaleSigma: sigma / Math.sqrt(fitted.spreadM2),
    used,
  };
}

export interface WeightedSimilarity extends Similarity {
  /** Weighted sum of squared distances of `from` from its mean, square metres. */
  readonly spreadM2: number;
}

/**
 * The similarity with the least weighted sum of squared distances; `undefined`: fewer than three points
 * count, or they lie on a line.
 */
export function weightedSimilarity(
  from: Float64Array,
  to: Float64Array,
  weights: Float64Array,
): WeightedSimilarity | undefined {
  const a = weightedMean(from, weights);
  const b = weightedMean(to, weights);
  // Products of coordinates: of `from` with `to` for the rotation, of `from` with itself for the spread.
  const cross = new Float64Array(9);
  const own = new Float64Array(9);
  for (let i = 0; i < weights.length; i += 1) {
    const w = weights[i] ?? 0;
    for (let row = 0; row < 3; row += 1) {
      const p = w * ((from[i * 3 + row] ?? 0) - (a[row] ?? 0));
      for (let column = 0; column < 3; column += 1) {
        const at = row * 3 + column;
        cross[at] = (cross[at] ?? 0) + p * ((to[i * 3 + column] ?? 0) - (b[column] ?? 0));
        own[at] = (own[at] ?? 0) + p * ((from[i * 3 + column] ?? 0) - (a[column] ?? 0));
      }
    }
  }
  const [most = 0, middle = 0] = symmetricEigen(own, 3).values;
  if (!(middle > LEAST_BREADTH ** 2 * most)) return undefined;
  const rotation = bestRotation(cross);
  let along = 0;
  for (let row = 0; row < 3; row += 1) {
    for (let column = 0; column < 3; column += 1) {
      along += (rotation[row * 3 + column] ?? 0) * (cross[column * 3 + row] ?? 0);
    }
  }
  const spreadM2 = (own[0] ?? 0) + (own[4] ?? 0) + (own[8] ?? 0);
  const scale = along / spreadM2;
  if (!(scale > 0)) return undefined;
  const [x, y, z] = rotate(rotation, a);
  const translation = [b[0] - scale * x, b[1] - scale * y, b[2] - scale * z] as const;
  return { scale, rotation, translation, spreadM2 };
}

/** Horn's section 4.A: the quaternion is the eigenvector of the greatest eigenvalue. */
function bestRotation(s: Float64Array): Rotation {
  const [xx = 0, xy = 0, xz = 0, yx = 0, yy = 0, yz = 0, zx = 0, zy = 0, zz = 0] = s;
  const n = Float64Array.of(
    ...[xx + yy + zz, yz - zy, zx - xz, xy - yx],
    ...[yz - zy, xx - yy - zz, xy + yx, zx + xz],
    ...[zx - xz, xy + yx, yy - xx - zz, yz + zy],
    ...[xy - yx, zx + xz, yz + zy, zz - xx - yy],
  );
  const [w = 1, x = 0, y = 0, z = 0] = symmetricEigen(n, 4).vectors[0] ?? [];
  return Float64Array.of(
    ...[w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
    ...[2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
    ...[2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z],
  );
}

function weightedMean(points: Float64Array, weights: Float64Array): Vector3 {
  const sum: [number, number, number] = [0, 0, 0];
  let total = 0;
  weights.forEach((w, i) => {
    total += w;
    sum[0] += w * (points[i * 3] ?? 0);
    sum[1] += w * (points[i * 3 + 1] ?? 0);
    sum[2] += w * (points[i * 3 + 2] ?? 0);
  });
  return [sum[0] / total, sum[1] / total, sum[2] / total];
}

function distances(fitted: Similarity, from: Float64Array, to: Float64Array): Float64Array {
  return Float64Array.from({ length: from.length / 3 }, (_, i) => {
    const p = [from[i * 3] ?? 0, from[i * 3 + 1] ?? 0, from[i * 3 + 2] ?? 0] as const;
    const [x, y, z] = applySimilarity(fitted, p);
    return Math.hypot(x - (to[i * 3] ?? 0), y - (to[i * 3 + 1] ?? 0), z - (to[i * 3 + 2] ?? 0));
  });
}
