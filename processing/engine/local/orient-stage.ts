import { createEnuFrame } from "../../geometry/enu.ts";
import type { CameraPrior, LensPrior } from "../../photogrammetry/camera/camera-prior.ts";
import { type TagVote, voteOnTags } from "../../photogrammetry/matching/tag-vote.ts";
import type { ImagePoints } from "../../photogrammetry/matching/tracks.ts";
import type { VerifiedPair } from "../../photogrammetry/matching/verified-pair.ts";
import type { Orientation } from "../../photogrammetry/orient/block/orientation.ts";
import { keyText } from "../run/key-text.ts";
import type { FinishedStage } from "../run/stage-store.ts";
import type { SurveyRun } from "../run/survey-run.ts";
import { controlTargets, scaleBarTargets } from "./control.ts";
import type { BlockKeypoints } from "./feature-stage.ts";
import type { BlockMatches } from "./match-stage.ts";
import type { SurveyBlock } from "./survey-block.ts";
import { ORIENT } from "./tasks/tasks.ts";

const ORIENTATION = { name: "orientation", version: 6 } as const;

/** An earlier flight over the same site that is oriented along; see `earlier-flight.ts`. */
export interface EarlierFlight {
  /** In the block's frame; images are numbered on from those of the block. */
  readonly priors: readonly CameraPrior[];
  /** Of the priors those whose images are turned by 180 degrees. */
  readonly turned: readonly number[];
  /** Those of the block first, in their order. */
  readonly lenses: readonly LensPrior[];
  readonly keypoints: readonly ImagePoints[];
  /** Of the earlier flight, and between the two. */
  readonly pairs: readonly VerifiedPair[];
  /** Keys of the stages that the pairs came from. */
  readonly keys: readonly string[];
}

export interface OrientedBlock extends Orientation {
  readonly tags: TagVote;
}

/**
 * Compares tags with the verified pairs, then adjusts the block.
 * @param leftOut images of the block whose pairs do not count
 * @param earlier oriented along: its cameras are in the result after those of the block
 */
export async function orientBlock(
  run: SurveyRun,
  block: SurveyBlock,
  { keypoints }: BlockKeypoints,
  matches: FinishedStage<BlockMatches>,
  leftOut: readonly number[],
  earlier?: EarlierFlight,
): Promise<FinishedStage<OrientedBlock>> {
  const { input, pool, signal } = run;
  const pairs = matches.value.pairs.filter(
    ({ first, second }) => !leftOut.includes(first) && !leftOut.includes(second),
  );
  const control = controlTargets(input.controlPoints, block, createEnuFrame(block.origin));
  const scaleBars = scaleBarTargets(input.scaleBars, block);
  const lenses = earlier?.lenses ?? block.lenses.lenses;
  const facts = keyText({ leftOut, control, scaleBars, lenses, origin: block.origin });
  const ofEarlier = earlier ? [...earlier.keys, keyText(earlier.priors)] : [];
  run.advance("orientation", 0);
  return await run.once(ORIENTATION, [matches.key, facts, ...ofEarlier], async () => {
    const tags = voteOnTags(block.priors, pairs);
    const orientation = await pool.run(
      ORIENT,
      {
        origin: block.origin,
        priors: [...tags.priors, ...(earlier?.priors ?? [])],
        lenses,
        keypoints: [...keypoints, ...(earlier?.keypoints ?? [])].map(({ count, x, y }) => ({
          count,
          x,
          y,
        })),
        pairs: [...pairs, ...(earlier?.pairs ?? [])],
        control,
        scaleBars,
        turned: [
          ...tags.flipped,
          ...(earlier?.turned ?? []).map((image) => image + tags.priors.length),
        ],
      },
      signal,
    );
    return { ...orientation, tags };
  });
}
