import type { Intrinsics } from "../../photogrammetry/camera/camera.ts";
import type { CameraPrior, LensPrior } from "../../photogrammetry/camera/camera-prior.ts";
import type { SurveyImage } from "../../photogrammetry/camera/survey-image.ts";
import type { Keypoints } from "../../photogrammetry/features/keypoints.ts";
import { selectPairs, selectPairsBetween } from "../../photogrammetry/matching/select-pairs.ts";
import type { FailedPair, VerifiedPair } from "../../photogrammetry/matching/verified-pair.ts";
import type { PairedImage } from "../../photogrammetry/matching/verify-pair.ts";
import { keyText } from "../run/key-text.ts";
import type { FinishedStage } from "../run/stage-store.ts";
import type { SurveyRun } from "../run/survey-run.ts";
import type { BlockKeypoints } from "./feature-stage.ts";
import type { SurveyBlock } from "./survey-block.ts";
import { MATCH_PAIRS } from "./tasks/tasks.ts";

const MATCHES = { name: "matches", version: 1 } as const;
/** The same for the pairs of two flights; their key is of another make. */
const MATCHES_BETWEEN = { name: "matches-between", version: 1 } as const;
/** Some of the pairs of either, so that a survey that is killed loses seconds of its matching. */
const SOME_MATCHES = { name: "matches-part", version: 1 } as const;
/** Pairs of one task: half a second of work, so that threads end together. */
const PAIRS_PER_TASK = 8;
/** Tasks of one part: 4 s of work for two files of the store. 600 images have 3,200 pairs, in 50 parts. */
const TASKS_PER_PART = 8;

export interface BlockMatches {
  readonly pairs: readonly VerifiedPair[];
  readonly failed: readonly FailedPair[];
}

/** Matches and verifies the pairs that are worth it. */
export async function matchBlock(
  run: SurveyRun,
  block: SurveyBlock,
  { keys, keypoints }: BlockKeypoints,
): Promise<FinishedStage<BlockMatches>> {
  run.advance("matching", 0);
  const lenses = block.lenses.lenses.map(({ intrinsics }) => intrinsics);
  const chosen = selectPairs(block.images, block.priors, block.lenses.lenses);
  const facts = keyText({ chosen, priors: block.priors, lenses });
  return await run.once(MATCHES, [...keys, facts], () =>
    verifyPairs(run, chosen, { priors: block.priors, lenses, keypoints, keys }),
  );
}

/** Images of one flight to be matched with those of another. */
export interface MatchedFlight {
  readonly images: readonly SurveyImage[];
  /** In the frame that both share. */
  readonly priors: readonly CameraPrior[];
  readonly keypoints: BlockKeypoints;
}

/**
 * Matches a flight with an earlier one over the same site. In the pairs the images of `earlier` are
 * numbered on from those of `own`.
 */
export async function matchBetween(
  run: SurveyRun,
  own: MatchedFlight,
  earlier: MatchedFlight,
  lensPriors: readonly LensPrior[],
): Promise<FinishedStage<BlockMatches>> {
  const lenses = lensPriors.map(({ intrinsics }) => intrinsics);
  const offset = own.images.length;
  const chosen = selectPairsBetween(own, earlier, lensPriors).map(
    ([i, j]) => [i, offset + j] as const,
  );
  const priors = [...own.priors, ...earlier.priors];
  const keypoints = [...own.keypoints.keypoints, ...earlier.keypoints.keypoints];
  const keys = [...own.keypoints.keys, ...earlier.keypoints.keys];
  const facts = keyText({ chosen, priors, lenses });
  return await run.once(MATCHES_BETWEEN, [...keys, facts], () =>
    verifyPairs(run, chosen, { priors, lenses, keypoints, keys }),
  );
}

/** What pairs are verified with, by image. */
interface MatchingImages {
  readonly priors: readonly CameraPrior[];
  readonly lenses: readonly Intrinsics[];
  readonly keypoints: readonly Keypoints[];
  /** Of the stages that the keypoints came from. */
  readonly keys: readonly string[];
}

type Pairs = readonly (readonly [number, number])[];

/** Verifies pairs in parts that are stages of their own: a run that was killed goes on after the last. */
async function verifyPairs(
  run: SurveyRun,
  chosen: Pairs,
  images: MatchingImages,
): Promise<BlockMatches> {
  let done = 0;
  const advance = (pairs: number) => {
    done += pairs;
    run.advance("matching", done / chosen.length);
  };
  const parts = await Promise.all(
    slices(chosen, PAIRS_PER_TASK * TASKS_PER_PART).map(async (part) => {
      const facts = keyText(part.map((pair) => pair.map((image) => factsOf(images, image))));
      let reported = 0;
      const { value } = await run.once(SOME_MATCHES, [facts], () =>
        verifyPart(run, part, images, (pairs) => {
          reported += pairs;
          advance(pairs);
        }),
      );
      advance(part.length - reported);
      return value;
    }),
  );
  const all = parts.flat();
  return { pairs: all.filter(isVerified), failed: all.filter(isFailed) };
}

async function verifyPart(
  { pool, signal }: SurveyRun,
  part: Pairs,
  images: MatchingImages,
  onVerified: (pairs: number) => void,
): Promise<readonly (VerifiedPair | FailedPair)[]> {
  const results = await Promise.all(
    slices(part, PAIRS_PER_TASK).map(async (pairs) => {
      const found = await pool.run(
        MATCH_PAIRS,
        pairs.map(([a, b]) => [pairedImage(images, a), pairedImage(images, b)] as const),
        signal,
      );
      onVerified(pairs.length);
      return found;
    }),
  );
  return results.flat();
}

function slices(pairs: Pairs, length: number): readonly Pairs[] {
  const found: Pairs[] = [];
  for (let i = 0; i < pairs.length; i += length) found.push(pairs.slice(i, i + length));
  return found;
}

/** All that an image brings into the verification of a pair, and its number, which the result names. */
function factsOf({ priors, lenses, keys }: MatchingImages, image: number) {
  const { rotation, centre, lens = -1 } = priors[image] ?? {};
  return { image, key: keys[image], lens: lenses[lens], rotation, centre };
}

function pairedImage({ priors, lenses, keypoints }: MatchingImages, image: number): PairedImage {
  const prior = priors[image];
  const lens = lenses[prior?.lens ?? -1];
  const found = keypoints[image];
  if (lens === undefined || found === undefined) throw new RangeError(`no image ${image}`);
  return { image, keypoints: found, lens, rotation: prior?.rotation, centre: prior?.centre };
}

function isFailed(pair: VerifiedPair | FailedPair): pair is FailedPair {
  return !isVerified(pair);
}

function isVerified(pair: VerifiedPair | FailedPair): pair is VerifiedPair {
  return "matches" in pair;
}
