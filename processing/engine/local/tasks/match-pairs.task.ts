import { matchKeypoints } from "../../../photogrammetry/matching/match-keypoints.ts";
import type { FailedPair, VerifiedPair } from "../../../photogrammetry/matching/verified-pair.ts";
import { type PairedImage, verifyPair } from "../../../photogrammetry/matching/verify-pair.ts";
import { settle, type TaskResult } from "../../../pool/task-result.ts";

/** Images of some pairs; the keypoints lie on shared memory. */
export type MatchPairsInput = readonly (readonly [PairedImage, PairedImage])[];
export type MatchPairsOutput = readonly (VerifiedPair | FailedPair)[];

/** Worker entry: matches and verifies some pairs of images. */
export function run(pairs: MatchPairsInput): Promise<TaskResult<MatchPairsOutput>> {
  return settle(() =>
    pairs.map(([first, second]) =>
      verifyPair(first, second, matchKeypoints(first.keypoints, second.keypoints)),
    ),
  );
}
