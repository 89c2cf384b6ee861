import { settle, type TaskResult } from "../../pool/task-result.ts";
import { makeThumbnail } from "./make-thumbnail.ts";
import type { ThumbnailInput } from "./tasks.ts";

/** Worker entry: one thumbnail. */
export function run(input: ThumbnailInput): Promise<TaskResult<Uint8Array>> {
  return settle(() => makeThumbnail(input));
}
