import {
  compose,
  inverse,
  type Rotation,
  rotate,
  rotationFromVector,
} from "../../../geometry/rotation.ts";
import { upperMedian } from "../../../numeric/median.ts";
import type { Pose } from "../../camera/camera.ts";
import type { CameraPrior } from "../../camera/camera-prior.ts";
import { timesOf } from "../../matching/level-heights.ts";
import type { PositionDrift } from "../../reconstruction/reconstruction.ts";
import type { SettledBlock } from "../block/settle-block.ts";
import { poseOf } from "../block/survey-block.ts";
import { fitPlan, type PlanFit } from "./plan-fit.ts";
import { turnToLevel } from "./tilt.ts";

/** Standard deviations that a drift has to exceed: white noise and receivers' memory seldom make three. */
const DRIFT_SIGMAS = 3;
/**
 * Drift of east or north that is taken off, metres over a flight. Over 60 m of ground, 2 m are 1.5 % of scale, the
 * least sigma that positions without RTK are given; less would be a second adjustment for nothing, and 5 m left
 * errors of 2.6 % (12 simulated flights of 28 images with 3 m).
 */
export const PLAN_DRIFT_M = 2;
/** Fewer images do not distinguish a drift from noise. */
const MIN_IMAGES = 8;
/** Heights by the ground's plane hold nothing but the start: metres, far above what any flight spans. */
const FREE_HEIGHT_SIGMA_M = 1_000;

/** What the positions of a flight turned out to be, and where to adjust it anew. */
export interface StraightPositions {
  readonly drift: PositionDrift | undefined;
  readonly isLevelledByGround: boolean;
  /** To adjust from; `undefined`: the block stays as it is. */
  readonly again:
    | { readonly priors: readonly CameraPrior[]; readonly poses: ReadonlyMap<number, Pose> }
    | undefined;
}

/**
 * Checks an adjusted block for errors of its positions. A drift of east and north is fitted apart from the
 * block's scale and turn; beyond {@link PLAN_DRIFT_M} it is taken off the positions. Where nothing shows
 * which direction is down (`isUnlevelled`), the plane of the ground is made level. Both change the block, so
 * that it is adjusted again. RTK is trusted.
 */
export function straightenPositions(
  { block, outcome }: SettledBlock,
  priors: readonly CameraPrior[],
): StraightPositions {
  const { state } = outcome.problem;
  const own = block.images.flatMap((image, camera) => {
    const prior = priors[image];
    const counts = prior?.centre !== undefined && !prior.isRtk && !prior.isOfEarlierFlight;
    return counts ? [{ image, prior, pose: poseOf(state, camera) }] : [];
  });
  if (own.length < MIN_IMAGES || own.length < block.images.length / 2) return AS_IT_IS;
  const isLevelledByGround = own.every(({ prior }) => prior.isUnlevelled === true);
  const level = isLevelledByGround ? turnToLevel(state.points) : undefined;
  const times = timesOf(
    own.map(({ image }) => image),
    priors,
  );
  const cameras = own.map(({ prior, pose }, i) => {
    const [x, y] = level === undefined ? pose.centre : rotate(level, pose.centre);
    const [eastM = 0, northM = 0] = prior.centre ?? [];
    return { x, y, eastM, northM, time: times[i] ?? 0 };
  });
  const fit = fitPlan(cameras, { hasDrift: true });
  if (fit === undefined) return AS_IT_IS;
  const drift = driftOf(fit);
  if (!drift.isDoubted && level === undefined) return { ...AS_IT_IS, drift };
  const plain = drift.isDoubted ? fit : (fitPlan(cameras, { hasDrift: false }) ?? fit);
  const turn = turnOf(plain, level);
  const scale = Math.hypot(plain.cosine, plain.sine);
  // The mean error of the heights stays that of the tags.
  const rises = own.map(
    ({ prior, pose }) => (prior.centre?.[2] ?? 0) - scale * rotate(turn, pose.centre)[2],
  );
  const [eastM, northM] = plain.offsetM;
  const upM = upperMedian(rises) ?? 0;
  const moved = ({ rotation, centre }: Pose): Pose => {
    const [x, y, z] = rotate(turn, centre);
    return {
      rotation: compose(rotation, inverse(turn)),
      centre: [scale * x + eastM, scale * y + northM, scale * z + upM],
    };
  };
  const again = [...priors];
  own.forEach(({ image, prior, pose }, i) => {
    const [east = 0, north = 0, up = 0] = prior.centre ?? [];
    const t = drift.isDoubted ? (times[i] ?? 0) - 0.5 : 0;
    const height = level === undefined ? up : moved(pose).centre[2];
    const [sigmaEast, sigmaNorth, sigmaUp] = prior.centreSigmaM;
    again[image] = {
      ...prior,
      centre: [east - t * drift.eastM, north - t * drift.northM, height],
      ...(level !== undefined && {
        centreSigmaM: [sigmaEast, sigmaNorth, Math.max(sigmaUp, FREE_HEIGHT_SIGMA_M)] as const,
        isHeightDoubted: true,
        rotation: moved(pose).rotation,
      }),
    };
  });
  const poses = new Map(block.images.map((image, c) => [image, moved(poseOf(state, c))]));
  return { drift, isLevelledByGround, again: { priors: again, poses } };
}

const AS_IT_IS = { drift: undefined, isLevelledByGround: false, again: undefined } as const;

function driftOf({ driftM, driftSigmaM }: PlanFit): PositionDrift {
  const [eastM, northM] = driftM;
  const isDoubted = driftM.some(
    (metres, axis) =>
      Math.abs(metres) > Math.max(PLAN_DRIFT_M, DRIFT_SIGMAS * (driftSigmaM[axis] ?? Infinity)),
  );
  return { eastM, northM, isDoubted };
}

/** The turn about the vertical that the fit found, after the one that levels. */
function turnOf({ cosine, sine }: PlanFit, level: Rotation | undefined): Rotation {
  const about = rotationFromVector([0, 0, Math.atan2(sine, cosine)]);
  return level === undefined ? about : compose(about, level);
}
