import {
  compose,
  type Rotation,
  rotationFromVector,
  type Vector3,
} from "../../geometry/rotation.ts";
import { tryCholeskySolve } from "../../numeric/cholesky-solve.ts";

/** A second camera's pose beside a first: X2 = R X1 + t, t of unit length in the second's frame. */
export interface RelativePose {
  readonly rotation: Rotation;
  readonly translation: Vector3;
}

/** Matched directions: x and y on the plane at distance 1, two numbers a match, in both cameras. */
export interface Correspondences {
  readonly count: number;
  readonly first: Float64Array;
  readonly second: Float64Array;
}

/** Added to squared lengths so that a match at the epipole divides by something. */
const TINY = 1e-18;
/** A step below this (rad) ends the iteration. */
const CONVERGED_RAD = 1e-7;

/** Skew matrix of t times R: x2 E x1 = 0 for matched directions. */
export function essentialMatrix({ rotation, translation }: RelativePose): Rotation {
  const [x, y, z] = translation;
  return compose(Float64Array.of(0, -z, y, z, 0, -x, -y, x, 0), rotation);
}

/**
 * Signed Sampson distance of match i (Hartley and Zisserman, 2nd ed., eq. 11.9): to first order its
 * distance from the epipolar constraint, on the plane at distance 1.
 */
export function sampsonDistance(e: Rotation, pairs: Correspondences, i: number): number {
  const x = pairs.first[2 * i] ?? 0;
  const y = pairs.first[2 * i + 1] ?? 0;
  const u = pairs.second[2 * i] ?? 0;
  const v = pairs.second[2 * i + 1] ?? 0;
  const e0 = (e[0] ?? 0) * x + (e[1] ?? 0) * y + (e[2] ?? 0);
  const e1 = (e[3] ?? 0) * x + (e[4] ?? 0) * y + (e[5] ?? 0);
  const e2 = (e[6] ?? 0) * x + (e[7] ?? 0) * y + (e[8] ?? 0);
  const f0 = (e[0] ?? 0) * u + (e[3] ?? 0) * v + (e[6] ?? 0);
  const f1 = (e[1] ?? 0) * u + (e[4] ?? 0) * v + (e[7] ?? 0);
  return (u * e0 + v * e1 + e2) / Math.sqrt(e0 * e0 + e1 * e1 + f0 * f0 + f1 * f1 + TINY);
}

/**
 * Improves a pose over the matches listed by Gauss-Newton on the Sampson distance: three angles and two
 * for the direction of t. With `scale` (same unit as the distance) far matches count less (Cauchy);
 * 0 = all count alike. `undefined` when the matches leave the pose open.
 */
export function refinePose(
  start: RelativePose,
  pairs: Correspondences,
  indices: Uint32Array,
  rounds: number,
  scale: number,
): RelativePose | undefined {
  let pose = start;
  const normal = new Float64Array(25);
  const right = new Float64Array(5);
  const products = new Float64Array(9);
  const slopes = new Float64Array(5);
  for (let round = 0; round < rounds; round += 1) {
    const e = essentialMatrix(pose);
    const [across, along] = tangentsOf(pose.translation);
    const derivatives = derivativesOf(pose, across, along);
    normal.fill(0);
    right.fill(0);
    for (let n = 0; n < indices.length; n += 1) {
      const i = indices[n] ?? 0;
      const x = pairs.first[2 * i] ?? 0;
      const y = pairs.first[2 * i + 1] ?? 0;
      const u = pairs.second[2 * i] ?? 0;
      const v = pairs.second[2 * i + 1] ?? 0;
      products[0] = u * x;
      products[1] = u * y;
      products[2] = u;
      products[3] = v * x;
      products[4] = v * y;
      products[5] = v;
      products[6] = x;
      products[7] = y;
      products[8] = 1;
      const distance = sampsonDistance(e, pairs, i);
      const algebraic = dot9(e, 0, products);
      // The Sampson distance is the algebraic one by a length that hardly changes with the pose.
      const perLength = algebraic === 0 ? 0 : distance / algebraic;
      const weight = scale > 0 ? 1 / (1 + (distance / scale) ** 2) : 1;
      for (let k = 0; k < 5; k += 1) slopes[k] = dot9(derivatives, 9 * k, products) * perLength;
      for (let k = 0; k < 5; k += 1) {
        const weighted = weight * (slopes[k] ?? 0);
        right[k] = (right[k] ?? 0) - weighted * distance;
        for (let l = 0; l <= k; l += 1) {
          normal[5 * k + l] = (normal[5 * k + l] ?? 0) + weighted * (slopes[l] ?? 0);
        }
      }
    }
    const step = solveDamped(normal, right);
    if (step === undefined) return undefined;
    pose = moved(pose, step, across, along);
    if (Math.hypot(...step) < CONVERGED_RAD) break;
  }
  return pose;
}

function dot9(matrix: Float64Array, offset: number, products: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < 9; k += 1) sum += (matrix[offset + k] ?? 0) * (products[k] ?? 0);
  return sum;
}

/** Derivatives of the essential matrix by the five parameters, nine numbers each. */
function derivativesOf(pose: RelativePose, across: Vector3, along: Vector3): Float64Array {
  const out = new Float64Array(45);
  const [x, y, z] = pose.translation;
  const skew = Float64Array.of(0, -z, y, z, 0, -x, -y, x, 0);
  const turns = [
    Float64Array.of(0, 0, 0, 0, 0, -1, 0, 1, 0),
    Float64Array.of(0, 0, 1, 0, 0, 0, -1, 0, 0),
    Float64Array.of(0, -1, 0, 1, 0, 0, 0, 0, 0),
  ];
  turns.forEach((turn, k) => {
    out.set(compose(skew, compose(turn, pose.rotation)), 9 * k);
  });
  out.set(essentialMatrix({ ...pose, translation: across }), 27);
  out.set(essentialMatrix({ ...pose, translation: along }), 36);
  return out;
}

/** Two directions at right angles to t and to each other. */
function tangentsOf([x, y, z]: Vector3): readonly [Vector3, Vector3] {
  const across = unit(Math.abs(x) < 0.7 ? [0, z, -y] : [-z, 0, x]);
  const [a, b, c] = across;
  return [across, [y * c - z * b, z * a - x * c, x * b - y * a]];
}

function moved(
  pose: RelativePose,
  [wx = 0, wy = 0, wz = 0, s = 0, t = 0]: readonly number[],
  across: Vector3,
  along: Vector3,
): RelativePose {
  const [x, y, z] = pose.translation;
  return {
    rotation: compose(rotationFromVector([wx, wy, wz]), pose.rotation),
    translation: unit([
      x + s * across[0] + t * along[0],
      y + s * across[1] + t * along[1],
      z + s * across[2] + t * along[2],
    ]),
  };
}

/** The vector at length 1; x for the zero vector. */
export function unit([x, y, z]: Vector3): Vector3 {
  const length = Math.hypot(x, y, z);
  return length > 0 ? [x / length, y / length, z / length] : [1, 0, 0];
}

/** Share added to the diagonal, which holds the step back where matches say little; prototype. */
const DAMPING = 1e-4;

/** Solves the 5 x 5 system by Cholesky (lower half given); a step is at most 1 rad long. */
function solveDamped(lower: Float64Array, right: Float64Array): readonly number[] | undefined {
  const l = Float64Array.from(lower);
  for (let k = 0; k < 5; k += 1) l[6 * k] = (l[6 * k] ?? 0) * (1 + DAMPING) + 1e-12;
  const x = tryCholeskySolve(l, right);
  if (x === undefined) return undefined;
  const length = Math.hypot(...x);
  return Array.from(x, (value) => (length > 1 ? value / length : value));
}
