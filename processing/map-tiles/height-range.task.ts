import { settle, type TaskResult } from "../pool/task-result.ts";
import type { HeightRange } from "./draw-tile.ts";
import { type HeightRangeInput, heightRange } from "./height-range.ts";

/** Worker entry: the heights that a survey's colours go over. */
export function run(input: HeightRangeInput): Promise<TaskResult<HeightRange | undefined>> {
  return settle(() => heightRange(input));
}
