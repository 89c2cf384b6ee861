import type { Intrinsics } from "../../photogrammetry/camera.ts";
import type { CameraPrior, LensPrior } from "../../photogrammetry/camera-prior.ts";
import type { Keypoints } from "../../photogrammetry/keypoints.ts";
import type { PairedImage } from "../../photogrammetry/matching/verify-pair.ts";
import { selectPairs, selectPairsBetween } from "../../photogrammetry/select-pairs.ts";
import type { SurveyImage } from "../../photogrammetry/survey-image.ts";
import type { FailedPair, VerifiedPair } from "../../photogrammetry/verified-pair.ts";
import { keyText } from "../run/key-text.ts";
import type { SurveyRun } from "../run/survey-run.ts";
import type { FinishedStage } from "../stage-store.ts";
import type { BlockKeypoints } from "./feature-stage.ts";
import type { SurveyBlock } from "./survey-block.ts";

const MATCHES = { name: "matches", version: 1 } as const;
/** The same for the pairs of two flights; their key is of another make. */
const MATCHES_BETWEEN = { name: "matches-between", version: 1 } as const;
/** Pairs of one task: half a second of work, so that threads end together. */
const PAIRS_PER_TASK = 8;

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
    verifyPairs(run, chosen, pairedImages(block.priors, lenses, keypoints)),
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
    verifyPairs(run, chosen, pairedImages(priors, lenses, keypoints)),
  );
}

async function verifyPairs(
  { pool, signal, advance }: SurveyRun,
  chosen: readonly (readonly [number, number])[],
  paired: (image: number) => PairedImage,
): Promise<BlockMatches> {
  const tasks: (readonly [number, number])[][] = [];
  for (let i = 0; i < chosen.length; i += PAIRS_PER_TASK) {
    tasks.push(chosen.slice(i, i + PAIRS_PER_TASK));
  }
  let done = 0;
  const results = await Promise.all(
    tasks.map(async (pairs) => {
      const found = await pool.run(
        "match-pairs",
        pairs.map(([a, b]) => [paired(a), paired(b)] as const),
        signal,
      );
      done += 1;
      advance("matching", done / tasks.length);
      return found;
    }),
  );
  const all = results.flat();
  return { pairs: all.filter(isVerified), failed: all.filter(isFailed) };
}

function pairedImages(
  priors: readonly CameraPrior[],
  lenses: readonly Intrinsics[],
  keypoints: readonly Keypoints[],
): (image: number) => PairedImage {
  return (image) => {
    const prior = priors[image];
    const lens = lenses[prior?.lens ?? -1];
    const found = keypoints[image];
    if (lens === undefined || found === undefined) throw new RangeError(`no image ${image}`);
    return { image, keypoints: found, lens, rotation: prior?.rotation, centre: prior?.centre };
  };
}

function isFailed(pair: VerifiedPair | FailedPair): pair is FailedPair {
  return !isVerified(pair);
}

function isVerified(pair: VerifiedPair | FailedPair): pair is VerifiedPair {
  return "matches" in pair;
}
