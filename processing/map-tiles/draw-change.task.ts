import { settle, type TaskResult } from "../pool/task-result.ts";
import { type ChangeInput, drawChange } from "./draw-change.ts";
import { atDrawingPace } from "./drawing-pace.ts";

/** Worker entry: one map tile of a change. */
export function run(input: ChangeInput): Promise<TaskResult<Uint8Array>> {
  return settle(() => atDrawingPace(() => drawChange(input)));
}
