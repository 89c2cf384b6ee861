import { settle, type TaskResult } from "../../pool/task-result.ts";
import type { MeasureSurfaceInput } from "./measure-input.ts";
import { type MeasuredSurface, measureSurface } from "./measure-surface.ts";

/** Worker entry: the volume within a footprint, with pictures of it. */
export function run(input: MeasureSurfaceInput): Promise<TaskResult<MeasuredSurface>> {
  return settle(() => measureSurface(input));
}
