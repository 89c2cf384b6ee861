import type { BundleProblem } from "../bundle/bundle-problem.ts";
import { type BundleSigmas, bundleSigmas } from "../bundle/covariance.ts";
import { rmsLength } from "../bundle/residuals.ts";
import type { HeightAgreement } from "../level-heights.ts";
import type { AdjustmentSummary, OrientedCamera, Reconstruction } from "../reconstruction.ts";
import type { Vector3 } from "../rotation.ts";
import { NOISE_INFLATION, type RoundOutcome } from "./anneal.ts";
import { controlFigures } from "./control-figures.ts";
import type { ControlUse } from "./controlled-block.ts";
import type { OrientationFigures, OrientInput } from "./orientation.ts";
import { positionScale } from "./position-drift.ts";
import {
  type PositionResiduals,
  positionResiduals,
  settledPositionSigmas,
} from "./position-sigmas.ts";
import { residualTrend } from "./residual-trend.ts";
import { flightsOf, reportedScaleSigma, scaleSource, UNTOLD_INFLATION } from "./scale-sigma.ts";
import type { SettledBlock } from "./settle-block.ts";
import type { StraightPositions } from "./straight-positions.ts";
import { intrinsicsOf, looksDown, poseOf, type SurveyBlock } from "./survey-block.ts";
import { expectedNadirShare, tiltFigures } from "./tilt.ts";

type BlockFigures = Pick<OrientationFigures, "sigmaPx" | "formalScaleSigma" | "residualTrend">;

/** What was found of the positions in the tags. */
export interface PositionsFound {
  /** `undefined`: RTK, or too few pairs tell. */
  readonly heights: HeightAgreement | undefined;
  /** Absent: not looked for. */
  readonly straight?: StraightPositions | undefined;
}

/** The reconstruction that a settled block amounts to, with what it says of its own precision. */
export function describeBlock(
  input: OrientInput,
  settled: SettledBlock | undefined,
  found: PositionsFound,
  control?: ControlUse,
): { readonly reconstruction: Reconstruction | undefined; readonly figures: BlockFigures } {
  if (!settled) {
    const residualTrend = { rowsPx: 0, columnsPx: 0, chancePx: 0 };
    return {
      reconstruction: undefined,
      figures: { sigmaPx: 0, formalScaleSigma: Number.NaN, residualTrend },
    };
  }
  const { block, outcome } = settled;
  const { problem, residuals } = outcome;
  const sigmaPx = residualSigma(problem, residuals);
  const positions = positionResiduals(problem);
  const sigmas = bundleSigmas(withSettledPositions(block, problem), NOISE_INFLATION * sigmaPx);
  const cameras = orientedCameras(block, outcome, positions, sigmas);
  const { observations } = problem;
  const reconstruction: Reconstruction = {
    origin: input.origin,
    cameras: cameras.toSorted((a, b) => a.image - b.image),
    lenses: intrinsicsOf(block, problem.state),
    points: problem.state.points,
    observations: { ...observations, camera: camerasByImage(block, observations.camera) },
    summary: summarise(settled, positions, sigmas, found, control ?? asGiven(input, settled)),
  };
  return {
    reconstruction,
    figures: {
      sigmaPx,
      formalScaleSigma: sigmas?.scale ?? Number.NaN,
      residualTrend: residualTrend(
        observations,
        residuals,
        sigmaPx,
        block.priors.map(
          ({ lens }) => block.lenses[lens]?.intrinsics ?? { widthPx: 1, heightPx: 1 },
        ),
      ),
    },
  };
}

/** Standard deviation of one image coordinate: squared residuals over the redundancy of the images. */
function residualSigma({ state, cameraLens }: BundleProblem, residuals: Float64Array): number {
  const unknowns = state.points.length + cameraLens.length * 6 + state.lenses.length;
  const redundancy = Math.max(1, residuals.length - unknowns);
  return Math.sqrt(residuals.reduce((sum, r) => sum + r * r, 0) / redundancy);
}

/** Heights that were doubted follow the attitudes: their residuals do not show how far they may be off. */
function withSettledPositions({ priors }: SurveyBlock, problem: BundleProblem): BundleProblem {
  const centreSigma = settledPositionSigmas(problem).map((sigma, i) =>
    i % 3 === 2 && priors[Math.floor(i / 3)]?.isHeightDoubted
      ? (problem.priors.centreSigma[i] ?? 0)
      : sigma,
  );
  return { ...problem, priors: { ...problem.priors, centreSigma } };
}

/** Camera numbers of observations after the cameras were sorted by image. */
function camerasByImage({ images }: SurveyBlock, cameras: Int32Array): Int32Array {
  const rank = new Int32Array(images.length);
  images
    .map((image, camera) => ({ image, camera }))
    .sort((a, b) => a.image - b.image)
    .forEach(({ camera }, i) => {
      rank[camera] = i;
    });
  return cameras.map((camera) => rank[camera] ?? 0);
}

function orientedCameras(
  block: SurveyBlock,
  { problem, residuals }: RoundOutcome,
  positions: PositionResiduals,
  sigmas: BundleSigmas | undefined,
): OrientedCamera[] {
  const counts = new Int32Array(block.images.length);
  const squares = new Float64Array(block.images.length);
  problem.observations.camera.forEach((camera, k) => {
    counts[camera] = (counts[camera] ?? 0) + 1;
    squares[camera] =
      (squares[camera] ?? 0) + (residuals[k * 2] ?? 0) ** 2 + (residuals[k * 2 + 1] ?? 0) ** 2;
  });
  return block.images.map((image, camera) => ({
    image,
    lens: block.cameraLens[camera] ?? 0,
    pose: poseOf(problem.state, camera),
    observations: counts[camera] ?? 0,
    rmsPx: Math.sqrt((squares[camera] ?? 0) / (counts[camera] ?? 1)),
    gpsResidualM: vectorAt(positions.residuals, camera),
    centreSigmaM: sigmas && vectorAt(sigmas.centres, camera),
  }));
}

/** Three numbers; `undefined` where they are not numbers. */
function vectorAt(values: Float64Array, index: number): Vector3 | undefined {
  const [x = Number.NaN, y = 0, z = 0] = values.subarray(index * 3, index * 3 + 3);
  return Number.isNaN(x) ? undefined : [x, y, z];
}

/** Control points that went into the adjustment as they were, too few to be fitted to a block beforehand. */
function asGiven({ control }: OrientInput, { marked }: SettledBlock): ControlUse {
  return {
    used: marked.usedControl,
    given: control,
    leaveOneOutM: new Map(),
    fitRmsM: Number.NaN,
    isContradicted: false,
    markScale: 1,
  };
}

function summarise(
  settled: SettledBlock,
  positions: PositionResiduals,
  sigmas: BundleSigmas | undefined,
  { heights, straight }: PositionsFound,
  control: ControlUse,
): AdjustmentSummary {
  const { block, outcome, marked } = settled;
  const { problem, accepted, residuals, adjustment } = outcome;
  const { state, priors } = problem;
  const source = scaleSource(block, marked.usedControl.length, marked.bars.length);
  const [east = 0, north = 0, up = 0] = state.bias;
  const nadir = block.images.filter((_, c) => looksDown(state.rotations, c * 9));
  const byPositions = positionScale({
    centres: state.centres,
    residuals: positions.residuals,
    sigmas: settledPositionSigmas(problem),
    flights: flightsOf(block),
    hasDrift: straight?.drift?.isDoubted === true,
  });
  const isLevelledByGround = straight?.isLevelledByGround === true;
  return {
    rmsPx: rmsLength(residuals),
    droppedTracks: accepted.droppedShare,
    gpsResidualM: positions.std,
    gpsBiasM: [east, north, up],
    scaleSigma: reportedScaleSigma(
      sigmas?.scale ?? Number.POSITIVE_INFINITY,
      source,
      byPositions?.inflation,
    ),
    scaleByPositions: byPositions && { misfit: byPositions.misfit, sigma: byPositions.sigma },
    convergence: { isConverged: adjustment.isConverged, stepSigmas: adjustment.stepSigmas },
    scaleFrom: source,
    focal: block.lenses.map((_, lens) => {
      const focalPx = state.lenses[lens * 7] ?? 0;
      const expectedPx = priors.lenses[lens * 7] ?? 0;
      return {
        relativeSigma: (sigmas?.lenses[lens * 7] ?? Number.POSITIVE_INFINITY) / focalPx,
        relativeChange: focalPx / expectedPx - 1,
      };
    }),
    control: control.given.length === 0 ? undefined : controlFigures(settled, control),
    placedBy: block.priors.some(({ centre }) => centre) ? "positions" : "control_points",
    nadirShare: nadir.length / block.images.length,
    expectedNadirShare: expectedNadirShare(block),
    heights,
    ...(straight?.drift && { positionDrift: straight.drift }),
    ...(isLevelledByGround && { isLevelledByGround }),
    ...tiltFigures(
      ...([state, sigmas, source, byPositions?.inflation ?? UNTOLD_INFLATION] as const),
      isLevelledByGround,
    ),
  };
}
