import { factorise, inverseDiagonal, solveFactored } from "../../numeric/skyline-cholesky.ts";
import { assemble, matrixOf } from "./assemble.ts";
import { buildNormal } from "./bundle-adjust.ts";
import { type BundleProblem, CAMERA_UNKNOWNS } from "./bundle-problem.ts";
import { createNormalEquations } from "./normal-equations.ts";
import { createTiePoints } from "./tie-points.ts";

/** Standard deviations of an adjusted bundle, from the inverse of its reduced normal matrix. */
export interface BundleSigmas {
  /** ENU metres, three a camera. */
  readonly centres: Float64Array;
  /** Rad, three a camera. */
  readonly rotations: Float64Array;
  /** Seven a lens; 0 where held. */
  readonly lenses: Float64Array;
  /** ENU metres, three a marked point. */
  readonly marked: Float64Array;
  /** Of the model's scale, without unit. */
  readonly scale: number;
  /** Of the block's tilt: mean turn of the cameras about the ENU axes east and north, the larger, rad. */
  readonly tilt: number;
}

/**
 * Propagates the standard deviations of the problem's observations and priors to what was adjusted
 * (Foerstner and Wrobel 2016, section 4.2.4): `sigmaPx` is that of one image coordinate.
 * @returns `undefined` when the normal matrix is singular.
 */
export function bundleSigmas(problem: BundleProblem, sigmaPx: number): BundleSigmas | undefined {
  const normal = createNormalEquations(problem, false);
  buildNormal(normal, problem, createTiePoints(problem), sigmaPx, 0);
  const matrix = matrixOf(normal);
  assemble(normal, matrix, 0);
  if (!factorise(matrix)) return undefined;
  const { cameras, lensOffset, biasOffset, markedOffset, size } = normal.layout;
  const sigmaOf = (gradient: Float64Array) => {
    const solution = gradient.slice();
    solveFactored(matrix, solution);
    return Math.sqrt(gradient.reduce((sum, g, i) => sum + g * (solution[i] ?? 0), 0));
  };
  const { rotations: attitudes, centres: places } = problem.state;
  const scale = sigmaOf(scaleGradient(places, centreUnknown, size));
  const tilt = Math.max(...[0, 1].map((axis) => sigmaOf(tiltGradient(attitudes, axis, size))));
  // Last, for it takes the place of the factor.
  const sigma = inverseDiagonal(matrix).map((variance, unknown) =>
    normal.held[unknown] ? 0 : Math.sqrt(variance),
  );
  const centres = new Float64Array(cameras * 3);
  const rotations = new Float64Array(cameras * 3);
  for (let camera = 0; camera < cameras; camera += 1) {
    const at = camera * CAMERA_UNKNOWNS;
    rotations.set(sigma.subarray(at, at + 3), camera * 3);
    centres.set(sigma.subarray(at + 3, at + 6), camera * 3);
  }
  return {
    centres,
    rotations,
    lenses: sigma.slice(lensOffset, biasOffset),
    marked: sigma.slice(markedOffset, size),
    scale,
    tilt,
  };
}

/**
 * Derivative of the logarithm of the scale of places by the unknowns. Scale is that of the similarity
 * that fits the places C best: sum (C - mean) dC / sum |C - mean|^2.
 * @param unknownOf the unknown of a coordinate
 */
export function scaleGradient(
  places: Float64Array,
  unknownOf: (coordinate: number) => number,
  size: number,
): Float64Array {
  const mean = meanOf(places);
  const gradient = new Float64Array(size);
  let spread = 0;
  places.forEach((value, i) => {
    const d = value - (mean[i % 3] ?? 0);
    gradient[unknownOf(i)] = d;
    spread += d * d;
  });
  return gradient.map((d) => d / spread);
}

/** The unknown of a coordinate of the cameras' centres, three a camera. */
export const centreUnknown = (coordinate: number): number =>
  Math.floor(coordinate / 3) * CAMERA_UNKNOWNS + 3 + (coordinate % 3);

/** Mean of places, three numbers each. */
export function meanOf(places: Float64Array): readonly number[] {
  const count = places.length / 3;
  return [0, 1, 2].map((axis) =>
    places.reduce((sum, value, i) => (i % 3 === axis ? sum + value / count : sum), 0),
  );
}

/**
 * Derivative of the mean turn of all cameras about an axis of ENU. A camera's unknown w turns it after its
 * attitude R (camera from world), which is the turn R' w of the world.
 */
function tiltGradient(rotations: Float64Array, axis: number, size: number): Float64Array {
  const gradient = new Float64Array(size);
  const count = rotations.length / 9;
  for (let camera = 0; camera < count; camera += 1) {
    for (let k = 0; k < 3; k += 1) {
      gradient[camera * CAMERA_UNKNOWNS + k] = (rotations[camera * 9 + k * 3 + axis] ?? 0) / count;
    }
  }
  return gradient;
}
