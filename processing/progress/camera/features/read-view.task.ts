import { settle, type TaskResult } from "../../../pool/task-result.ts";
import { type ReadView, type ReadViewInput, readView } from "./read-view.ts";

/** Worker entry: one image of a fixed camera, or by hand. */
export function run(input: ReadViewInput): Promise<TaskResult<ReadView>> {
  return settle(() => readView(input));
}
