import { settle, type TaskResult } from "../../../pool/task-result.ts";
import { type DrawViewInput, drawView } from "./draw-view.ts";

/** Worker entry: a view with the outlines of its zones. */
export function run(input: DrawViewInput): Promise<TaskResult<Uint8Array>> {
  return settle(() => drawView(input));
}
