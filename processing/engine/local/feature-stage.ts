import type { Keypoints } from "../../photogrammetry/features/keypoints.ts";
import { withShared } from "../run/shared-memory.ts";
import type { SurveyRun } from "../run/survey-run.ts";
import type { DecodedImages } from "./decoded-images.ts";
import type { SurveyBlock } from "./survey-block.ts";
import { FIND_KEYPOINTS } from "./tasks/tasks.ts";

const FEATURES = { name: "keypoints", version: 1 } as const;

export interface BlockKeypoints {
  /** Keys of the stages, in the images' order. */
  readonly keys: readonly string[];
  /** On shared memory. */
  readonly keypoints: readonly Keypoints[];
}

/**
 * Keypoints of every image, each content once ever for a working size.
 * @param decoded where the surface needs the images at the same size, so that they are decoded once for both
 */
export async function findKeypoints(
  run: SurveyRun,
  block: SurveyBlock,
  decoded?: DecodedImages,
): Promise<BlockKeypoints> {
  const { pool, signal, input } = run;
  const { maxKeypoints } = input.profile;
  let done = 0;
  run.advance("keypoints", 0);
  const stages = await Promise.all(
    block.images.map(async ({ sha256 }, i) => {
      const image = block.files[i];
      if (image === undefined) throw new RangeError(`the block has no file ${i}`);
      const settings = [`${image.widthPx}x${image.heightPx}`, String(maxKeypoints)];
      const stage = await run.once(FEATURES, [sha256, ...settings], async () => {
        const grey = (await decoded?.of(image))?.grey[0];
        return await pool.run(FIND_KEYPOINTS, { image, grey, maxKeypoints }, signal);
      });
      done += 1;
      run.advance("keypoints", done / block.images.length);
      return stage;
    }),
  );
  return {
    keys: stages.map(({ key }) => key),
    keypoints: stages.map(({ value }) => withShared(value)),
  };
}
