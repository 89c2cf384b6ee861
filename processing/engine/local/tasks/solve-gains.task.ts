import type { PhotometricGain } from "../../../photogrammetry/ortho/ortho-view.ts";
import type { PhotometricSamples } from "../../../photogrammetry/ortho/photometric-samples.ts";
import { solveGains } from "../../../photogrammetry/ortho/solve-gains.ts";
import { settle, type TaskResult } from "../../../pool/task-result.ts";

export interface SolveGainsInput {
  readonly samples: readonly PhotometricSamples[];
  readonly lensOfImage: readonly number[];
}

/** Worker entry: brightness of all images brought together. */
export function run({
  samples,
  lensOfImage,
}: SolveGainsInput): Promise<TaskResult<PhotometricGain[]>> {
  return settle(() => solveGains(samples, lensOfImage));
}
