import { compose, inverse, vectorFromRotation } from "../../geometry/rotation.ts";
import {
  type BundleProblem,
  type BundleState,
  CAMERA_UNKNOWNS,
  layoutOf,
  type UnknownLayout,
} from "./bundle-problem.ts";
import { cauchyLoss, cauchyWeight, TAG_LOSS_WIDTH } from "./cauchy.ts";
import { addResidual, type NormalEquations } from "./normal-equations.ts";

/** One residual, its derivatives by the unknowns that it hangs on (ascending), and its sigma. */
export interface PriorTerm {
  readonly unknowns: readonly number[];
  readonly derivatives: readonly number[];
  readonly residual: number;
  readonly sigma: number;
}

/** What a term comes from. */
export type PriorKind = "position" | "attitude" | "lens" | "bias" | "control" | "bar";

/** Terms that are weighted together, and their weight: a wild position or attitude loses its weight. */
type Visit = (group: readonly PriorTerm[], kind: PriorKind) => void;

const isRobust = (kind: PriorKind) => kind === "position" || kind === "attitude";

/** What priors and scale bars cost: the sum of squared or robust residuals. */
export function priorCost(problem: BundleProblem, state: BundleState): number {
  let cost = 0;
  visitPriors(problem, state, layoutOf(problem), (group, kind) => {
    const squared = sumOfSquares(group);
    cost += isRobust(kind) ? cauchyLoss(squared, TAG_LOSS_WIDTH) : squared;
  });
  return cost;
}

/** Adds everything that is known from outside the images. */
export function addPriors(normal: NormalEquations, problem: BundleProblem): void {
  visitWeighted(problem, normal.layout, ({ unknowns, derivatives, residual }, weight) => {
    addResidual(normal, unknowns, derivatives, residual, weight);
  });
}

/** Visits each term with its weight in the normal equations at the problem's present state. */
export function visitWeighted(
  problem: BundleProblem,
  layout: UnknownLayout,
  visit: (term: PriorTerm, weight: number, kind: PriorKind) => void,
): void {
  visitPriors(problem, problem.state, layout, (group, kind) => {
    const weight = isRobust(kind) ? cauchyWeight(sumOfSquares(group), TAG_LOSS_WIDTH) : 1;
    for (const term of group) visit(term, weight / term.sigma ** 2, kind);
  });
}

function sumOfSquares(group: readonly PriorTerm[]): number {
  return group.reduce((sum, { residual, sigma }) => sum + (residual / sigma) ** 2, 0);
}

function visitPriors(
  problem: BundleProblem,
  state: BundleState,
  layout: UnknownLayout,
  visit: Visit,
): void {
  for (let camera = 0; camera < layout.cameras; camera += 1) {
    const position = positionTerms(problem, state, layout, camera);
    if (position.length > 0) visit(position, "position");
    const attitude = attitudeTerms(problem, state, camera);
    if (attitude.length > 0) visit(attitude, "attitude");
  }
  const { priors } = problem;
  const as = (kind: PriorKind) => (group: readonly PriorTerm[]) => visit(group, kind);
  visitValues(state.lenses, priors.lenses, priors.lensSigma, layout.lensOffset, as("lens"));
  const noBias = new Float64Array(state.bias.length);
  visitValues(state.bias, noBias, priors.biasSigma, layout.biasOffset, as("bias"));
  visitValues(state.marked, priors.marked, priors.markedSigma, layout.markedOffset, as("control"));
  visitBars(problem, state, layout, visit);
}

/** The centre plus the bias of its flight is where the tags say. */
function positionTerms(
  { priors }: BundleProblem,
  state: BundleState,
  { biasOffset }: UnknownLayout,
  camera: number,
): readonly PriorTerm[] {
  const terms: PriorTerm[] = [];
  const biasAt = (priors.biasOf[camera] ?? -1) * 3;
  for (let axis = 0; axis < 3; axis += 1) {
    const at = camera * 3 + axis;
    const sigma = priors.centreSigma[at] ?? 0;
    if (sigma <= 0) continue;
    const bias = biasAt >= 0 ? (state.bias[biasAt + axis] ?? 0) : 0;
    const centre = camera * CAMERA_UNKNOWNS + 3 + axis;
    terms.push({
      unknowns: biasAt >= 0 ? [centre, biasOffset + biasAt + axis] : [centre],
      derivatives: [1, 1],
      residual: (state.centres[at] ?? 0) + bias - (priors.centres[at] ?? 0),
      sigma,
    });
  }
  return terms;
}

/**
 * The rotation vector from the tagged attitude to the present one. Its derivative by a small further
 * rotation is the identity to first order in the residual, which is a few degrees.
 */
function attitudeTerms(
  { priors }: BundleProblem,
  state: BundleState,
  camera: number,
): readonly PriorTerm[] {
  const sigma = priors.rotationSigma[camera] ?? 0;
  if (sigma <= 0) return [];
  const at = camera * 9;
  const present = state.rotations.subarray(at, at + 9);
  const tagged = priors.rotations.subarray(at, at + 9);
  return vectorFromRotation(compose(present, inverse(tagged))).map((residual, axis) => ({
    unknowns: [camera * CAMERA_UNKNOWNS + axis],
    derivatives: [1],
    residual,
    sigma,
  }));
}

function visitValues(
  values: Float64Array,
  expected: Float64Array,
  sigmas: Float64Array,
  offset: number,
  visit: (group: readonly PriorTerm[]) => void,
): void {
  sigmas.forEach((sigma, i) => {
    if (sigma <= 0) return;
    const residual = (values[i] ?? 0) - (expected[i] ?? 0);
    visit([{ unknowns: [offset + i], derivatives: [1], residual, sigma }]);
  });
}

function visitBars(
  { bars }: BundleProblem,
  { marked }: BundleState,
  { markedOffset }: UnknownLayout,
  visit: Visit,
): void {
  for (const { a, b, lengthM, sigmaM } of bars) {
    const low = Math.min(a, b) * 3;
    const high = Math.max(a, b) * 3;
    const span = [0, 1, 2].map((i) => (marked[high + i] ?? 0) - (marked[low + i] ?? 0));
    const length = Math.hypot(...span);
    if (length === 0) continue;
    const direction = span.map((d) => d / length);
    const ends = [low, low + 1, low + 2, high, high + 1, high + 2];
    visit(
      [
        {
          unknowns: ends.map((i) => markedOffset + i),
          derivatives: [...direction.map((d) => -d), ...direction],
          residual: length - lengthM,
          sigma: sigmaM,
        },
      ],
      "bar",
    );
  }
}
