import { factorise, solveFactored } from "../../numeric/skyline-cholesky.ts";
import { assemble, matrixOf } from "./assemble.ts";
import { buildNormal } from "./bundle-adjust.ts";
import { type BundleProblem, CAMERA_UNKNOWNS, type UnknownLayout } from "./bundle-problem.ts";
import { centreUnknown, meanOf, scaleGradient } from "./covariance.ts";
import { createNormalEquations } from "./normal-equations.ts";
import { visitWeighted } from "./prior-terms.ts";
import { createTiePoints } from "./tie-points.ts";

/** Scales of an adjusted bundle, which its lenses may bring apart. */
export interface BundleScales {
  /** Of the block of cameras. */
  readonly cameras: ScaleShares;
  /** Of the ground between control points; `undefined`: fewer than two. */
  readonly ground: ScaleShares | undefined;
}

/** What a scale of an adjusted bundle comes from. */
export interface ScaleShares {
  /**
   * By how much the adjusted scale follows when all positions, all control points or all lengths of bars are scaled
   * by 1. Together 1, apart from what lens data and a common bias take.
   */
  readonly positions: number;
  readonly control: number;
  readonly bars: number;
  /** One standard deviation of the scale by independent errors of the positions, in their share. */
  readonly positionSigma: number;
  /** One standard deviation of the scale by everything else: control points, bars, marks, images. */
  readonly otherSigma: number;
  /** One standard deviation of the scale if control points alone fixed it; NaN without any. */
  readonly controlSigma: number;
}

/**
 * Splits the scales of an adjusted bundle among their sources, with the weights that the adjustment gave them. A
 * scale is a linear function of the observations, x = N^-1 g for its gradient g: an observation of weight p whose
 * derivatives are j moves it by p (j x) for each unit (Foerstner and Wrobel 2016, section 4.2.4).
 * @param sigmaPx of one image coordinate, pixels
 * @param centreSigma standard deviations that the positions turned out to have, metres, three a camera
 * @param controlPoints how many of the marked points are control points, which come first
 * @returns `undefined` when the normal matrix is singular
 */
export function scaleShares(
  problem: BundleProblem,
  {
    sigmaPx,
    centreSigma,
    controlPoints,
  }: {
    readonly sigmaPx: number;
    readonly centreSigma: Float64Array;
    readonly controlPoints: number;
  },
): BundleScales | undefined {
  const normal = createNormalEquations(problem, false);
  buildNormal(normal, problem, createTiePoints(problem), sigmaPx, 0);
  const matrix = matrixOf(normal);
  assemble(normal, matrix, 0);
  if (!factorise(matrix)) return undefined;
  const { layout } = normal;
  const { centres, marked } = problem.state;
  const sharesOf = (places: Float64Array, unknownOf: (coordinate: number) => number) => {
    const gradient = scaleGradient(places, unknownOf, layout.size);
    const solution = gradient.slice();
    solveFactored(matrix, solution);
    const grown = growth(problem, layout, meanOf(places));
    return split(problem, layout, { gradient, solution, grown, centreSigma });
  };
  return {
    cameras: sharesOf(centres, centreUnknown),
    ground:
      controlPoints < 2
        ? undefined
        : sharesOf(marked.subarray(0, 3 * controlPoints), (i) => layout.markedOffset + i),
  };
}

/** One scale as a function of the observations. */
interface ScaleFunction {
  /** Derivative of the scale by the unknowns, and the inverse of the normal matrix times it. */
  readonly gradient: Float64Array;
  readonly solution: Float64Array;
  /** How each unknown changes when the model grows by 1. */
  readonly grown: Float64Array;
  readonly centreSigma: Float64Array;
}

function split(
  problem: BundleProblem,
  layout: UnknownLayout,
  { gradient, solution, grown, centreSigma }: ScaleFunction,
): ScaleShares {
  const shares = { position: 0, control: 0, bar: 0 };
  let [found, assumed, ofControl] = [0, 0, 0];
  visitWeighted(problem, layout, ({ unknowns, derivatives }, weight, kind) => {
    if (kind !== "position" && kind !== "control" && kind !== "bar") return;
    const along = (of: Float64Array) =>
      unknowns.reduce((sum, unknown, i) => sum + (derivatives[i] ?? 0) * (of[unknown] ?? 0), 0);
    const moved = along(solution);
    const pull = weight * moved;
    shares[kind] += pull * along(grown);
    if (kind === "control") ofControl += pull * moved;
    if (kind !== "position") return;
    const [centre = 0] = unknowns;
    const camera = Math.floor(centre / CAMERA_UNKNOWNS);
    const axis = (centre % CAMERA_UNKNOWNS) - 3;
    found += (pull * (centreSigma[camera * 3 + axis] ?? 0)) ** 2;
    assumed += pull * moved;
  });
  const variance = gradient.reduce((sum, g, i) => sum + g * (solution[i] ?? 0), 0);
  return {
    positions: shares.position,
    control: shares.control,
    bars: shares.bar,
    positionSigma: Math.sqrt(found),
    otherSigma: Math.sqrt(Math.max(0, variance - assumed)),
    controlSigma: Math.sqrt(ofControl) / Math.abs(shares.control),
  };
}

/** How each unknown changes when the model grows about a place by 1, that is, to twice its size. */
function growth(
  { state }: BundleProblem,
  { markedOffset, size }: UnknownLayout,
  about: readonly number[],
): Float64Array {
  const grown = new Float64Array(size);
  state.centres.forEach((value, i) => {
    grown[centreUnknown(i)] = value - (about[i % 3] ?? 0);
  });
  state.marked.forEach((value, i) => {
    grown[markedOffset + i] = value - (about[i % 3] ?? 0);
  });
  return grown;
}
