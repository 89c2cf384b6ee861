import { type ReadView, type ReadViewInput, readView } from "../progress/camera/read-view.ts";
import { settle, type TaskResult } from "./contract.ts";

/** Worker entry: one image of a fixed camera, or by hand. */
export function run(input: ReadViewInput): Promise<TaskResult<ReadView>> {
  return settle(() => readView(input));
}
