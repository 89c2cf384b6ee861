import type { Orientation, OrientInput } from "../../../photogrammetry/orient/block/orientation.ts";
import { orientSurvey } from "../../../photogrammetry/orient/orient-survey.ts";
import { settle, type TaskResult } from "../../../pool/task-result.ts";

/** What can go to another thread; the pool cancels by ending it. */
export type OrientTaskInput = Omit<OrientInput, "onProgress" | "isCancelled">;

/** Worker entry: bundle adjustment of a block. */
export function run(input: OrientTaskInput): Promise<TaskResult<Orientation>> {
  return settle(() => orientSurvey(input));
}
