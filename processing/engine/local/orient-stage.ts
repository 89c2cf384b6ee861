import { createEnuFrame } from "../../photogrammetry/enu.ts";
import type { Orientation } from "../../photogrammetry/orient/orientation.ts";
import { type TagVote, voteOnTags } from "../../photogrammetry/tag-vote.ts";
import { keyText } from "../run/key-text.ts";
import type { SurveyRun } from "../run/survey-run.ts";
import type { FinishedStage } from "../stage-store.ts";
import { controlTargets, scaleBarTargets } from "./control.ts";
import type { BlockKeypoints } from "./feature-stage.ts";
import type { BlockMatches } from "./match-stage.ts";
import type { SurveyBlock } from "./survey-block.ts";

const ORIENTATION = { name: "orientation", version: 1 } as const;

export interface OrientedBlock extends Orientation {
  readonly tags: TagVote;
}

/**
 * Compares tags with the verified pairs, then adjusts the block.
 * @param leftOut images of the block whose pairs do not count
 */
export async function orientBlock(
  run: SurveyRun,
  block: SurveyBlock,
  { keypoints }: BlockKeypoints,
  matches: FinishedStage<BlockMatches>,
  leftOut: readonly number[],
): Promise<FinishedStage<OrientedBlock>> {
  const { input, pool, signal } = run;
  const pairs = matches.value.pairs.filter(
    ({ first, second }) => !leftOut.includes(first) && !leftOut.includes(second),
  );
  const control = controlTargets(input.controlPoints, block, createEnuFrame(block.origin));
  const scaleBars = scaleBarTargets(input.scaleBars, block);
  const { lenses } = block.lenses;
  const facts = keyText({ leftOut, control, scaleBars, lenses, origin: block.origin });
  run.advance("orientation", 0);
  return await run.once(ORIENTATION, [matches.key, facts], async () => {
    const tags = voteOnTags(block.priors, pairs);
    const orientation = await pool.run(
      "orient",
      {
        origin: block.origin,
        priors: tags.priors,
        lenses,
        keypoints: keypoints.map(({ count, x, y }) => ({ count, x, y })),
        pairs,
        control,
        scaleBars,
      },
      signal,
    );
    return { ...orientation, tags };
  });
}
