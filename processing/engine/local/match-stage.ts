import type { PairedImage } from "../../photogrammetry/matching/verify-pair.ts";
import { selectPairs } from "../../photogrammetry/select-pairs.ts";
import type { FailedPair, VerifiedPair } from "../../photogrammetry/verified-pair.ts";
import { keyText } from "../run/key-text.ts";
import type { SurveyRun } from "../run/survey-run.ts";
import type { FinishedStage } from "../stage-store.ts";
import type { BlockKeypoints } from "./feature-stage.ts";
import type { SurveyBlock } from "./survey-block.ts";

const MATCHES = { name: "matches", version: 1 } as const;
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
  const { pool, signal } = run;
  run.advance("matching", 0);
  const lenses = block.lenses.lenses.map(({ intrinsics }) => intrinsics);
  const chosen = selectPairs(block.images, block.priors, block.lenses.lenses);
  const facts = keyText({ chosen, priors: block.priors, lenses });
  return await run.once(MATCHES, [...keys, facts], async () => {
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
        run.advance("matching", done / tasks.length);
        return found;
      }),
    );
    const all = results.flat();
    return { pairs: all.filter(isVerified), failed: all.filter(isFailed) };
  });

  function paired(image: number): PairedImage {
    const prior = block.priors[image];
    const lens = lenses[prior?.lens ?? -1];
    const found = keypoints[image];
    if (lens === undefined || found === undefined) throw new RangeError(`no image ${image}`);
    return { image, keypoints: found, lens, rotation: prior?.rotation, centre: prior?.centre };
  }
}

function isFailed(pair: VerifiedPair | FailedPair): pair is FailedPair {
  return !isVerified(pair);
}

function isVerified(pair: VerifiedPair | FailedPair): pair is VerifiedPair {
  return "matches" in pair;
}
