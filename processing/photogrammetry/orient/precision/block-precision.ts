import { LIMITS } from "../../../gates/gate-thresholds.ts";
import { isWide } from "../../../geometry/plan-width.ts";
import type { BundleProblem } from "../../bundle/bundle-problem.ts";
import { type BundleSigmas, bundleSigmas } from "../../bundle/covariance.ts";
import { scaleShares } from "../../bundle/scale-shares.ts";
import type { AdjustmentSummary } from "../../reconstruction/reconstruction.ts";
import { NOISE_INFLATION } from "../block/anneal.ts";
import { locate } from "../block/marked-points.ts";
import type { SettledBlock } from "../block/settle-block.ts";
import type { SurveyBlock } from "../block/survey-block.ts";
import { positionScale } from "./position-drift.ts";
import {
  type PositionResiduals,
  positionResiduals,
  settledPositionSigmas,
} from "./position-sigmas.ts";
import { ASSUMED_INFLATION, flightsOf, type ScaleFigures, scaleFigures } from "./scale-sigma.ts";
import type { StraightPositions } from "./straight-positions.ts";
import { tiltFigures } from "./tilt.ts";

/** How sure an adjusted block is. */
export interface BlockPrecision
  extends ScaleFigures,
    Pick<AdjustmentSummary, "tiltSigmaRad" | "groundTiltRad"> {
  /** Standard deviation of one image coordinate by the residuals, pixels. */
  readonly sigmaPx: number;
  readonly positions: PositionResiduals;
  /** By the normal matrix, which takes errors for independent; `undefined`: it is singular. */
  readonly sigmas: BundleSigmas | undefined;
}

/** @param straight what was found of the positions; `undefined`: they were not checked */
export function blockPrecision(
  settled: SettledBlock,
  straight: StraightPositions | undefined,
): BlockPrecision {
  const { block, outcome, marked } = settled;
  const { problem, residuals } = outcome;
  const { state } = problem;
  const sigmaPx = residualSigma(problem, residuals);
  const positions = positionResiduals(problem);
  const centreSigma = settledPositionSigmas(problem);
  const imageSigmaPx = NOISE_INFLATION * sigmaPx;
  const sigmas = bundleSigmas(withSettledPositions(block, problem, centreSigma), imageSigmaPx);
  const isMarked = marked.usedControl.length + marked.bars.length > 0;
  const controlPoints = marked.usedControl.length;
  const scales = isMarked
    ? scaleShares(problem, { sigmaPx: imageSigmaPx, centreSigma, controlPoints })
    : undefined;
  const byPositions = positionScale({
    centres: state.centres,
    residuals: positions.residuals,
    sigmas: centreSigma,
    flights: flightsOf(block),
    hasDrift: straight?.drift?.isDoubted === true,
  });
  const formal = sigmas?.scale ?? Number.POSITIVE_INFINITY;
  const isPlacedByControl = isPlaced(settled);
  const scale = scaleFigures(block, { formal, scales, byPositions, isPlacedByControl });
  const tilt = tiltFigures(state, sigmas, {
    isHeld: scale.isHeldByControl || scale.isHeldByRtk,
    inflation: byPositions?.inflation ?? ASSUMED_INFLATION,
    isLevelledByGround: straight?.isLevelledByGround === true,
  });
  return { sigmaPx, positions, sigmas, ...scale, ...tilt };
}

function isPlaced({ block, outcome, marked }: SettledBlock): boolean {
  const places = marked.usedControl.flatMap(({ marks }) =>
    [locate(block, outcome.problem.state, marks)].flatMap((place) => (place ? [place] : [])),
  );
  return places.length >= LIMITS.controlPoints && isWide(places);
}

/** Standard deviation of one image coordinate: squared residuals over the redundancy of the images. */
function residualSigma({ state, cameraLens }: BundleProblem, residuals: Float64Array): number {
  const unknowns = state.points.length + cameraLens.length * 6 + state.lenses.length;
  const redundancy = Math.max(1, residuals.length - unknowns);
  return Math.sqrt(residuals.reduce((sum, r) => sum + r * r, 0) / redundancy);
}

/** Heights that were doubted follow the attitudes: their residuals do not show how far they may be off. */
function withSettledPositions(
  { priors }: SurveyBlock,
  problem: BundleProblem,
  settled: Float64Array,
): BundleProblem {
  const centreSigma = settled.map((sigma, i) =>
    i % 3 === 2 && priors[Math.floor(i / 3)]?.isHeightDoubted
      ? (problem.priors.centreSigma[i] ?? 0)
      : sigma,
  );
  return { ...problem, priors: { ...problem.priors, centreSigma } };
}
