import type { Vector3 } from "../../geometry/rotation.ts";
import type { BundleSigmas } from "../bundle/covariance.ts";
import { rmsLength } from "../bundle/residuals.ts";
import type { HeightAgreement } from "../matching/level-heights.ts";
import type {
  AdjustmentSummary,
  OrientedCamera,
  Reconstruction,
} from "../reconstruction/reconstruction.ts";
import type { RoundOutcome } from "./block/anneal.ts";
import type { OrientationFigures, OrientInput } from "./block/orientation.ts";
import type { SettledBlock } from "./block/settle-block.ts";
import { intrinsicsOf, looksDown, poseOf, type SurveyBlock } from "./block/survey-block.ts";
import { controlFigures } from "./control/control-figures.ts";
import type { ControlUse } from "./control/controlled-block.ts";
import { type BlockPrecision, blockPrecision } from "./precision/block-precision.ts";
import type { PositionResiduals } from "./precision/position-sigmas.ts";
import { residualTrend } from "./precision/residual-trend.ts";
import type { StraightPositions } from "./precision/straight-positions.ts";
import { expectedNadirShare } from "./precision/tilt.ts";

type BlockFigures = Pick<OrientationFigures, "sigmaPx" | "formalScaleSigma" | "residualTrend">;

/** What was found of the positions in the tags. */
export interface PositionsFound {
  /** `undefined`: RTK, or too few pairs. */
  readonly heights: HeightAgreement | undefined;
  /** Absent: not checked. */
  readonly straight?: StraightPositions | undefined;
}

/**
 * The reconstruction that a settled block amounts to, with what it says of its own precision.
 * @param control `undefined`: none was given
 */
export function describeBlock(
  { origin }: OrientInput,
  settled: SettledBlock | undefined,
  found: PositionsFound,
  control: ControlUse | undefined,
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
  const precision = blockPrecision(settled, found.straight);
  const { sigmaPx, sigmas } = precision;
  const cameras = orientedCameras(block, outcome, precision.positions, sigmas);
  const { observations } = problem;
  const reconstruction: Reconstruction = {
    origin,
    cameras: cameras.toSorted((a, b) => a.image - b.image),
    lenses: intrinsicsOf(block, problem.state),
    points: problem.state.points,
    observations: { ...observations, camera: camerasByImage(block, observations.camera) },
    summary: summarise(settled, precision, found, control),
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

function summarise(
  settled: SettledBlock,
  precision: BlockPrecision,
  { heights, straight }: PositionsFound,
  control: ControlUse | undefined,
): AdjustmentSummary {
  const { block, outcome } = settled;
  const { problem, accepted, residuals, adjustment } = outcome;
  const { state, priors } = problem;
  const { positions, sigmas, isHeldByControl, isHeldByRtk } = precision;
  const [east = 0, north = 0, up = 0] = state.bias;
  const nadir = block.images.filter((_, c) => looksDown(state.rotations, c * 9));
  return {
    rmsPx: rmsLength(residuals),
    droppedTracks: accepted.droppedShare,
    gpsResidualM: positions.std,
    gpsBiasM: [east, north, up],
    scaleSigma: precision.scaleSigma,
    scaleByPositions: precision.scaleByPositions,
    convergence: { isConverged: adjustment.isConverged, stepSigmas: adjustment.stepSigmas },
    scaleFrom: precision.scaleFrom,
    focal: block.lenses.map((_, lens) => {
      const focalPx = state.lenses[lens * 7] ?? 0;
      const expectedPx = priors.lenses[lens * 7] ?? 0;
      return {
        relativeSigma: (sigmas?.lenses[lens * 7] ?? Number.POSITIVE_INFINITY) / focalPx,
        relativeChange: focalPx / expectedPx - 1,
      };
    }),
    control: control && controlFigures(settled, control),
    ...(isHeldByControl && { isHeldByControl }),
    ...(isHeldByRtk && { isHeldByRtk }),
    placedBy: block.priors.some(({ centre }) => centre) ? "positions" : "control_points",
    nadirShare: nadir.length / block.images.length,
    expectedNadirShare: expectedNadirShare(block),
    heights,
    ...(straight?.drift && { positionDrift: straight.drift }),
    ...(straight?.isLevelledByGround && { isLevelledByGround: true }),
    tiltSigmaRad: precision.tiltSigmaRad,
    groundTiltRad: precision.groundTiltRad,
  };
}
