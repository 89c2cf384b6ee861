import { DomainError } from "../../../domain/errors.ts";
import { LIMITS } from "../../gates/gate-thresholds.ts";
import { createEnuFrame } from "../../geometry/enu.ts";
import type { ImageFile } from "../../images/files/image-file.ts";
import type { CameraPrior } from "../../photogrammetry/camera/camera-prior.ts";
import { type LensPriors, lensPriors } from "../../photogrammetry/camera/lens-priors.ts";
import { checkAdjustment } from "../../photogrammetry/checks/check-adjustment.ts";
import { checkImages } from "../../photogrammetry/checks/check-images.ts";
import { checkMatching } from "../../photogrammetry/checks/check-matching.ts";
import { voteOnTags } from "../../photogrammetry/matching/tag-vote.ts";
import type { VerifiedPair } from "../../photogrammetry/matching/verified-pair.ts";
import { splitFlights } from "../../photogrammetry/orient/network/split-flights.ts";
import { cameraPriors } from "../../photogrammetry/reconstruction/camera-priors.ts";
import type { CompanionCamera } from "../port/engine.ts";
import { readSurvey } from "../run/read-survey.ts";
import type { FinishedStage } from "../run/stage-store.ts";
import type { SurveyRun } from "../run/survey-run.ts";
import { type BlockKeypoints, findKeypoints } from "./feature-stage.ts";
import { type BlockMatches, matchBetween, matchBlock } from "./match-stage.ts";
import { type EarlierFlight, type OrientedBlock, orientBlock } from "./orient-stage.ts";
import { planBlock, type SurveyBlock } from "./survey-block.ts";

/**
 * Pairs between the flights that must match, lest one wrong pair ties them together. More leaves flights apart
 * that see little of the same ground.
 */
const MIN_PAIRS_BETWEEN = 6;
/** Fewer cameras do not determine the similarity to the earlier survey (`fitSimilarity`). */
const MIN_COMPANIONS = 4;

/** The matched block that an earlier flight is oriented with. */
export interface OwnBlock {
  readonly block: SurveyBlock;
  readonly workingWidthPx: number;
  readonly keypoints: BlockKeypoints;
  readonly matches: FinishedStage<BlockMatches>;
  /** Images of the block whose pairs do not count. */
  readonly leftOut: readonly number[];
}

export interface JointlyOriented {
  /** The block as oriented together with the earlier flight; that one's cameras are not in it. */
  readonly oriented: FinishedStage<OrientedBlock>;
  readonly companions: readonly CompanionCamera[];
}

/**
 * Orients a block together with `input.companions`. Their images, keypoints and pairs are stages under the
 * keys of their own survey, found there as long as the store has them. Only pairs between the flights are
 * new, at most five an image.
 * @returns `undefined` where there are no companions, or they do no good: then the block is adjusted alone
 */
export async function orientWithEarlier(
  run: SurveyRun,
  own: OwnBlock,
): Promise<JointlyOriented | undefined> {
  const known = new Set(own.block.images.map(({ sha256 }) => sha256));
  const files = (run.input.companions ?? []).filter(({ sha256 }) => !known.has(sha256));
  if (files.length < LIMITS.fewestImages) return undefined;
  if (files.length + own.block.images.length > LIMITS.mostImages) return undefined;
  try {
    const flight = await matchEarlier(aside(run, files), run, own);
    return flight && (await orientJointly(run, own, flight));
  } catch (error) {
    // A problem with them is not a fault of the present survey.
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}

/** The run with other images, whose progress is not reported. */
function aside(run: SurveyRun, images: readonly ImageFile[]): SurveyRun {
  return { ...run, input: { ...run.input, images }, advance: () => run.signal.throwIfAborted() };
}

interface MatchedEarlier extends EarlierFlight {
  /** The earlier images in the order of `priors`. */
  readonly sha256: readonly string[];
}

async function matchEarlier(
  apart: SurveyRun,
  run: SurveyRun,
  own: OwnBlock,
): Promise<MatchedEarlier | undefined> {
  const survey = await readSurvey(apart);
  const { leftOut } = checkImages(survey.images);
  const { block } = planBlock(survey, leftOut, own.workingWidthPx);
  const joint = jointPriors(own.block, block, own.workingWidthPx);
  if (joint === undefined) return undefined;
  const keypoints = await findKeypoints(apart, block);
  const matches = await matchBlock(apart, block, keypoints);
  const { priors } = joint;
  const { lenses } = joint.lenses;
  const between = await matchBetween(
    run,
    { ...own.block, keypoints: own.keypoints },
    { images: block.images, priors, keypoints },
    lenses,
  );
  if (between.value.pairs.length < MIN_PAIRS_BETWEEN) return undefined;
  const names = block.images.map(({ name }) => name);
  const loose = checkMatching({ names, ...matches.value, expectedOverlap: 1 }).leftOut;
  const ownCount = own.block.images.length;
  const moved = (image: number) => image + ownCount;
  const tied = matches.value.pairs.filter(
    ({ first, second }) => !loose.includes(first) && !loose.includes(second),
  );
  const bridges = between.value.pairs.filter(
    ({ first, second }) => !own.leftOut.includes(first) && !loose.includes(second - ownCount),
  );
  const pairs: VerifiedPair[] = [
    ...tied.map((pair) => ({ ...pair, first: moved(pair.first), second: moved(pair.second) })),
    ...bridges,
  ];
  const tags = voteOnTags(priors, tied);
  return {
    sha256: block.images.map(({ sha256 }) => sha256),
    priors: tags.priors,
    turned: tags.flipped,
    lenses,
    keypoints: keypoints.keypoints,
    pairs,
    keys: [matches.key, between.key],
  };
}

/**
 * What is known of the earlier cameras, in the block's frame, with lenses that are numbered together.
 * `undefined` where the earlier images would change what is known of the block's own lenses.
 */
function jointPriors(
  own: SurveyBlock,
  earlier: SurveyBlock,
  workingWidthPx: number,
): { readonly priors: readonly CameraPrior[]; readonly lenses: LensPriors } | undefined {
  const lenses = lensPriors([...own.images, ...earlier.images], workingWidthPx);
  if (own.lenses.lensOfImage.some((lens, i) => lens !== lenses.lensOfImage[i])) return undefined;
  const lensOfImage = lenses.lensOfImage.slice(own.images.length);
  const frame = createEnuFrame(own.origin);
  const priors = cameraPriors(earlier.images, { ...lenses, lensOfImage }, frame);
  return { priors: priors.map((prior) => ({ ...prior, isOfEarlierFlight: true })), lenses };
}

async function orientJointly(
  run: SurveyRun,
  { block, keypoints, matches, leftOut }: OwnBlock,
  flight: MatchedEarlier,
): Promise<JointlyOriented | undefined> {
  const { key, value } = await orientBlock(run, block, keypoints, matches, leftOut, flight);
  if (value.reconstruction === undefined) return undefined;
  const { own, earlier } = splitFlights(value.reconstruction, block.images.length);
  const names = block.images.map(({ name }) => name);
  const found = checkAdjustment(own, names, { flipped: [], conflicting: [] });
  const isRefused = found.some(({ severity }) => severity === "reject");
  const isWhole = own.cameras.length >= LIMITS.connectedShare * (names.length - leftOut.length);
  if (isRefused || !isWhole || earlier.length < MIN_COMPANIONS) return undefined;
  return {
    oriented: { key, value: { ...value, reconstruction: own } },
    companions: earlier.flatMap(({ image, pose }) => {
      const sha256 = flight.sha256[image];
      return sha256 === undefined ? [] : [{ sha256, centre: pose.centre }];
    }),
  };
}
