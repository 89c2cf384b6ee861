import { type DrawViewInput, drawView } from "../progress/camera/draw-view.ts";
import { settle, type TaskResult } from "./contract.ts";

/** Worker entry: a view with the outlines of its zones. */
export function run(input: DrawViewInput): Promise<TaskResult<Uint8Array>> {
  return settle(() => drawView(input));
}
