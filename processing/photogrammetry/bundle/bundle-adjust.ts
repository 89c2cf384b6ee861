import { compose, rotationFromVector } from "../../geometry/rotation.ts";
import { factorise, type SkylineMatrix, solveFactored } from "../../numeric/skyline-cholesky.ts";
import { assemble, matrixOf } from "./assemble.ts";
import {
  assignState,
  type BundleProblem,
  type BundleState,
  CAMERA_UNKNOWNS,
  copyState,
  type UnknownLayout,
} from "./bundle-problem.ts";
import { imageCost } from "./image-cost.ts";
import { addMarkedPoints } from "./marked-point-terms.ts";
import {
  clearNormalEquations,
  createNormalEquations,
  type NormalEquations,
} from "./normal-equations.ts";
import { addPriors, priorCost } from "./prior-terms.ts";
import { addTiePoints } from "./tie-point-terms.ts";
import { createTiePoints, moveTiePoints, type TiePoints } from "./tie-points.ts";

export interface AdjustOptions {
  /** Standard deviation of an image observation, pixels. */
  readonly sigmaPx: number;
  readonly maxIterations: number;
  /** Lenses stay as they are: while poses are still far off, they would soak up errors of the poses. */
  readonly holdLenses: boolean;
  /** Converged only when a step changes the cost by at most this share of it. */
  readonly tolerance: number;
  /**
   * Converged only when a step is at most so long, in standard deviations (see {@link stepLength});
   * `undefined`: the cost alone decides. A weak unknown such as the scale may be far off where the cost
   * hardly changes: positions of 1 m count for little beside ten thousand keypoints.
   */
  readonly stepSigmas?: number | undefined;
}

export interface AdjustOutcome {
  readonly iterations: number;
  /** Whether both limits of the options were met before `maxIterations`. */
  readonly isConverged: boolean;
  /** Length of the last step, standard deviations (see {@link stepLength}). */
  readonly stepSigmas: number;
  /** Sum of robust squared residuals, all normalised by their standard deviations. */
  readonly cost: number;
}

/**
 * Marquardt's parameter at the start, and where steps are given up. A larger start creeps along the gradient at
 * first, a smaller one has steps of a poor start refused; the result is the same.
 */
const FIRST_DAMPING = 1e-3;
const LAST_DAMPING = 1e6;
/**
 * Damping up to which a step counts as undamped. The information of scale is down to 1e-7 of what one
 * camera's keypoints give its centre; with more damping a small step shows a short leash, not the goal.
 */
const UNDAMPED = 1e-9;
/**
 * A good step divides the damping by this, a bad one multiplies by the other. Nearer to 1 needs more rounds to
 * adapt, farther has more steps refused; the result is the same.
 */
const DAMPING_DOWN = 5;
const DAMPING_UP = 8;

/** The normal equations of a problem at its present state, undamped but for the points' `damping`. */
export function buildNormal(
  normal: NormalEquations,
  problem: BundleProblem,
  ties: TiePoints,
  sigmaPx: number,
  damping: number,
): void {
  clearNormalEquations(normal);
  addTiePoints(normal, problem, ties, sigmaPx, damping);
  addMarkedPoints(normal, problem, markSigma(problem, sigmaPx));
  addPriors(normal, problem);
}

/** Marks are annealed with everything else, and never count for more than a person can point. */
function markSigma(problem: BundleProblem, sigmaPx: number): number {
  return Math.max(problem.markSigmaPx, sigmaPx);
}

/**
 * Moves cameras, lenses, bias and points of `problem.state` to where they explain the images and the
 * priors best: Levenberg-Marquardt with the points eliminated (Triggs et al. 2000, sections 4 and 6),
 * observations reweighted by Cauchy's loss. Deterministic; the cost never rises.
 */
export function adjustBundle(problem: BundleProblem, options: AdjustOptions): AdjustOutcome {
  const { sigmaPx, maxIterations, holdLenses, tolerance, stepSigmas } = options;
  const normal = createNormalEquations(problem, holdLenses);
  const ties = createTiePoints(problem);
  const matrix = matrixOf(normal);
  const candidate = copyState(problem.state);
  let cost = totalCost(problem, problem.state, sigmaPx);
  let damping = FIRST_DAMPING;
  let iterations = 0;
  let length = Number.POSITIVE_INFINITY;
  while (iterations < maxIterations && damping < LAST_DAMPING) {
    iterations += 1;
    buildNormal(normal, problem, ties, sigmaPx, damping);
    const step = solveStep(normal, matrix, damping);
    if (!step) {
      damping *= DAMPING_UP;
      continue;
    }
    length = stepLength(normal, step);
    applyStep(problem, candidate, normal.layout, ties, step);
    const next = totalCost(problem, candidate, sigmaPx);
    // At rest a step may also raise the cost, by rounding.
    const isAtRest = next < cost || damping <= UNDAMPED;
    const isLevel = isAtRest && Math.abs(cost - next) <= tolerance * cost;
    const isSmall = isLevel && length <= (stepSigmas ?? length);
    if (next < cost) {
      assignState(problem.state, candidate);
      cost = next;
    }
    if (isSmall && (stepSigmas === undefined || damping <= UNDAMPED)) {
      return { iterations, cost, isConverged: true, stepSigmas: length };
    }
    if (isSmall) damping = Math.min(UNDAMPED, damping / DAMPING_DOWN);
    else if (cost === next) damping /= DAMPING_DOWN;
    else damping *= DAMPING_UP;
  }
  return { iterations, cost, isConverged: false, stepSigmas: length };
}

/**
 * The Newton decrement of a step: how far it moves, at most, any one unknown or combination of unknowns
 * such as the scale, in standard deviations (Boyd and Vandenberghe 2004, section 9.5.1).
 */
function stepLength({ rhs }: NormalEquations, step: Float64Array): number {
  const squared = step.reduce((sum, value, i) => sum + value * (rhs[i] ?? 0), 0);
  return Math.sqrt(Math.max(0, squared));
}

function totalCost(problem: BundleProblem, state: BundleState, sigmaPx: number): number {
  const { observations, marks, cameraLens } = problem;
  return (
    imageCost(state, state.points, observations, cameraLens, sigmaPx) +
    imageCost(state, state.marked, marks, cameraLens, markSigma(problem, sigmaPx)) +
    priorCost(problem, state)
  );
}

function solveStep(
  normal: NormalEquations,
  matrix: SkylineMatrix,
  damping: number,
): Float64Array | undefined {
  assemble(normal, matrix, damping);
  if (!factorise(matrix)) return undefined;
  const step = normal.rhs.slice();
  normal.held.forEach((isHeld, unknown) => {
    if (isHeld) step[unknown] = 0;
  });
  solveFactored(matrix, step);
  return step;
}

function applyStep(
  { state, observations }: BundleProblem,
  candidate: BundleState,
  layout: UnknownLayout,
  ties: TiePoints,
  step: Float64Array,
): void {
  assignState(candidate, state);
  const { rotations, centres, lenses, bias, points, marked } = candidate;
  for (let camera = 0; camera < layout.cameras; camera += 1) {
    const at = camera * CAMERA_UNKNOWNS;
    const [wx = 0, wy = 0, wz = 0] = step.subarray(at, at + 3);
    const before = state.rotations.subarray(camera * 9, camera * 9 + 9);
    rotations.set(compose(rotationFromVector([wx, wy, wz]), before), camera * 9);
    addTo(centres, camera * 3, step, at + 3, 3);
  }
  addTo(lenses, 0, step, layout.lensOffset, lenses.length);
  addTo(bias, 0, step, layout.biasOffset, bias.length);
  addTo(marked, 0, step, layout.markedOffset, marked.length);
  moveTiePoints(points, observations.camera, ties, step, layout.lensOffset);
}

function addTo(
  values: Float64Array,
  at: number,
  step: Float64Array,
  from: number,
  count: number,
): void {
  for (let i = 0; i < count; i += 1) values[at + i] = (values[at + i] ?? 0) + (step[from + i] ?? 0);
}
