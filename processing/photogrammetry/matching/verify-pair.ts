import {
  angleBetween,
  compose,
  HALF_TURN,
  inverse,
  type Rotation,
  rotate,
  type Vector3,
} from "../../geometry/rotation.ts";
import { type Intrinsics, undistort } from "../camera/camera.ts";
import type { Keypoints } from "../features/keypoints.ts";
import { chooseInFront } from "./cheirality.ts";
import {
  type Correspondences,
  essentialMatrix,
  type RelativePose,
  refinePose,
  sampsonDistance,
  unit,
} from "./epipolar.ts";
import { priorsFromMatches } from "./image-prior.ts";
import type { FailedPair, VerifiedPair } from "./verified-pair.ts";

/** One image of a pair: its keypoints, its lens at working size, and its pose by tags. */
export interface PairedImage {
  /** Index of the image in the survey. */
  readonly image: number;
  readonly keypoints: Keypoints;
  readonly lens: Intrinsics;
  /** Camera from ENU, by tags. */
  readonly rotation: Rotation | undefined;
  /** ENU, metres, by GPS. */
  readonly centre: Vector3 | undefined;
}

/** Distance from the epipolar line up to which a match counts, pixels; looser forgives lenses more. Prototype. */
const INLIER_PX = 3;
/** Matches that a pair needs; below it chance agrees as well (a blank sky gave up to 20). Prototype. */
const MIN_INLIERS = 25;
/** Share of them in front of both cameras, at least; prototype: good pairs have 0.99, twisted ones 0.5. */
const MIN_IN_FRONT = 0.8;
/** Matches to start a hypothesis from: one more than the five that fix it, so that errors show. */
const SAMPLE = 6;
const SAMPLE_ROUNDS = 5;
const MAX_SAMPLES = 300;
/** Samples are drawn until one without a false match was among them but for this chance. */
const MISS_CHANCE = 1e-3;
/** Scales (in inlier distances) over which all matches pull a prior into place. */
const PULL_SCALES = [16, 6, 2, 0.5] as const;
const PULL_ROUNDS = 4;
/** Matches that pull, at most: more cost time and add nothing. */
const MAX_PULLING = 400;
const FINAL_ROUNDS = 6;
/**
 * Level ground leaves two poses that fit all matches alike (Longuet-Higgins 1986); the false one is turned by 20
 * to 50 degrees. A pose counts less by this share of its matches when it is `FAR_RAD` or more from the prior it
 * came from: without that 12 of 68 pairs of a flat park had the false one. More keeps false priors of tags, less
 * lets false poses win again.
 */
const FAR_SHARE = 0.2;
const FAR_RAD = Math.PI / 4;
/** A pose this near to its prior with this share of the matches needs no other prior to be tried; chosen. */
const NEAR_RAD = Math.PI / 12;
const CLEAR_SHARE = 0.7;
/** Matches from which on tilted priors are tried; chosen. */
const MIN_TO_TILT = 60;

/**
 * Checks whether two images' matches fit one relative pose. Poses are tried from priors by tags, by tags with
 * one image turned round, and by the pictures alone, because any of them may be far off (see
 * docs/photogrammetry.md#real-flights): first all matches pull a prior into place, then samples are drawn (RANSAC, Fischler and Bolles 1981;
 * the minimal solver is Gauss-Newton from the prior). The same input gives the same result: the random
 * numbers are fixed.
 */
export function verifyPair(
  first: PairedImage,
  second: PairedImage,
  matches: Uint32Array,
): VerifiedPair | FailedPair {
  const pairs = correspondences(first, second, matches);
  const limit = (INLIER_PX / first.lens.focalPx + INLIER_PX / second.lens.focalPx) / 2;
  const failed = (inliers: number): FailedPair => ({
    first: first.image,
    second: second.image,
    candidates: pairs.count,
    inliers,
  });
  if (pairs.count < MIN_INLIERS) return failed(0);

  const fromPictures = priorsFromMatches(first.keypoints, second.keypoints, matches, pairs);
  let found: Fit | undefined;
  for (const prior of usualPriors(first, second, fromPictures)) {
    const fit = search(prior, pairs, limit);
    if (isBetter(fit, found)) found = fit;
    const isClear = fit.fromPriorRad < NEAR_RAD && fit.inliers.length > CLEAR_SHARE * pairs.count;
    if (isClear && isSound(fit)) break;
  }
  // Tilted cameras without tags: rare, and not worth the time where matches are few.
  if (pairs.count >= MIN_TO_TILT && !isSound(found)) {
    for (const prior of fromPictures) {
      const fit = search(prior, pairs, limit);
      if (isBetter(fit, found)) found = fit;
      if (isSound(found)) break;
    }
  }
  if (found === undefined || found.inliers.length < MIN_INLIERS) {
    return failed(found?.inliers.length ?? 0);
  }
  if (!isSound(found)) return failed(Math.round(found.inFront * found.inliers.length));

  const { rotation, translation } = found.pose;
  const [x, y, z] = rotate(inverse(rotation), translation);
  const kept = new Uint32Array(2 * found.inliers.length);
  found.inliers.forEach((i, k) => {
    kept[2 * k] = matches[2 * i] ?? 0;
    kept[2 * k + 1] = matches[2 * i + 1] ?? 0;
  });
  return {
    first: first.image,
    second: second.image,
    candidates: pairs.count,
    matches: kept,
    rotation,
    direction: [-x, -y, -z],
  };
}

interface Fit {
  readonly pose: RelativePose;
  readonly inliers: Uint32Array;
  readonly inFront: number;
  /** Angle between the pose's rotation and that of its prior. */
  readonly fromPriorRad: number;
}

function isBetter(fit: Fit, best: Fit | undefined): boolean {
  if (best === undefined) return true;
  if (isSound(fit) !== isSound(best)) return isSound(fit);
  const scoreOf = ({ inliers, fromPriorRad }: Fit) => score(inliers.length, fromPriorRad);
  return scoreOf(fit) > scoreOf(best);
}

/** There is a pose, and most of what fits it lies in front of both cameras. */
function isSound(fit: Fit | undefined): boolean {
  return fit !== undefined && fit.inFront >= MIN_IN_FRONT;
}

/** Matches of a pose, less the further it has gone from where it came from. */
function score(inliers: number, fromPriorRad: number): number {
  return inliers * (1 - FAR_SHARE * Math.min(1, fromPriorRad / FAR_RAD));
}

/** The best pose that can be reached from a prior. */
function search(prior: RelativePose, pairs: Correspondences, limit: number): Fit {
  let best = prior;
  let bestInliers = inliersOf(prior, pairs, limit);
  let most = bestInliers.length;
  const consider = (pose: RelativePose | undefined) => {
    if (pose === undefined) return;
    const inliers = inliersOf(pose, pairs, limit);
    const value = score(inliers.length, angleBetween(pose.rotation, prior.rotation));
    if (value <= most) return;
    best = pose;
    bestInliers = inliers;
    most = value;
  };

  const every = Math.ceil(pairs.count / MAX_PULLING);
  const pulling = Uint32Array.from(
    { length: Math.floor(pairs.count / every) },
    (_, i) => i * every,
  );
  let pulled: RelativePose | undefined = prior;
  for (const scale of PULL_SCALES) {
    pulled = pulled && refinePose(pulled, pairs, pulling, PULL_ROUNDS, scale * limit);
  }
  consider(pulled);

  const random = createRandom();
  const sample = new Uint32Array(SAMPLE);
  for (let drawn = 0; drawn < samplesNeeded(bestInliers.length / pairs.count); drawn += 1) {
    draw(sample, pairs.count, random);
    consider(refinePose(prior, pairs, sample, SAMPLE_ROUNDS, 0));
  }
  for (let round = 0; round < 2; round += 1) {
    consider(refinePose(best, pairs, bestInliers, FINAL_ROUNDS, limit / 2));
  }
  // Also when it has no more inliers than before: it fits them all, a sample's pose fits six.
  const polished = refinePose(best, pairs, bestInliers, FINAL_ROUNDS, limit / 2) ?? best;
  const inliers = inliersOf(polished, pairs, limit);
  const { pose, share } = chooseInFront(polished, pairs, inliers);
  return {
    pose,
    inliers,
    inFront: share,
    fromPriorRad: angleBetween(pose.rotation, prior.rotation),
  };
}

/** Hartley and Zisserman, 2nd ed., eq. 4.18, for the share of good matches known so far. */
function samplesNeeded(goodShare: number): number {
  const clean = Math.min(0.999, goodShare ** SAMPLE);
  if (clean < 1e-9) return MAX_SAMPLES;
  return Math.min(MAX_SAMPLES, Math.ceil(Math.log(MISS_CHANCE) / Math.log(1 - clean)));
}

function inliersOf(pose: RelativePose, pairs: Correspondences, limit: number): Uint32Array {
  const e = essentialMatrix(pose);
  const found = new Uint32Array(pairs.count);
  let count = 0;
  for (let i = 0; i < pairs.count; i += 1) {
    if (Math.abs(sampsonDistance(e, pairs, i)) < limit) {
      found[count] = i;
      count += 1;
    }
  }
  return found.slice(0, count);
}

/** By tags, then the first of those by the pictures, which is worked out only when none before it was clear. */
function* usualPriors(
  first: PairedImage,
  second: PairedImage,
  fromPictures: Iterator<RelativePose, void>,
): Generator<RelativePose, void> {
  yield* priorsFromTags(first, second);
  const level = fromPictures.next();
  if (level.done !== true) yield level.value;
}

/** As the tags have it, and with the second image turned round. */
function priorsFromTags(first: PairedImage, second: PairedImage): readonly RelativePose[] {
  if (first.rotation === undefined || second.rotation === undefined) return [];
  const [ax, ay, az] = first.centre ?? [0, 0, 0];
  const [bx, by, bz] = second.centre ?? [0, 0, 0];
  const rotation = compose(second.rotation, inverse(first.rotation));
  const translation = unit(rotate(second.rotation, [ax - bx, ay - by, az - bz]));
  return [
    { rotation, translation },
    { rotation: compose(HALF_TURN, rotation), translation: rotate(HALF_TURN, translation) },
  ];
}

function correspondences(
  first: PairedImage,
  second: PairedImage,
  matches: Uint32Array,
): Correspondences {
  const count = matches.length >> 1;
  const pairs = { count, first: new Float64Array(2 * count), second: new Float64Array(2 * count) };
  const put = ({ keypoints, lens }: PairedImage, k: number, out: Float64Array, i: number) => {
    const [x, y] = undistort(lens, keypoints.x[k] ?? 0, keypoints.y[k] ?? 0);
    out[2 * i] = x;
    out[2 * i + 1] = y;
  };
  for (let i = 0; i < count; i += 1) {
    put(first, matches[2 * i] ?? 0, pairs.first, i);
    put(second, matches[2 * i + 1] ?? 0, pairs.second, i);
  }
  return pairs;
}

/** Fills `sample` with different numbers below `count`. */
function draw(sample: Uint32Array, count: number, random: () => number): void {
  for (let k = 0; k < sample.length; ) {
    const candidate = Math.floor(random() * count);
    if (sample.subarray(0, k).includes(candidate)) continue;
    sample[k] = candidate;
    k += 1;
  }
}

/** Numbers from 0 to below 1 that are the same in each run: a linear congruential generator. */
function createRandom(): () => number {
  // Multiplier and increment of Numerical Recipes, 3rd ed., section 7.1.
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
