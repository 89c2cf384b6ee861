import type { MeasureSurfaceInput } from "../measurement/surface/measure-input.ts";
import { type MeasuredSurface, measureSurface } from "../measurement/surface/measure-surface.ts";
import { settle, type TaskResult } from "../pool/task-result.ts";

/** Worker entry: the volume within a footprint, with pictures of it. */
export function run(input: MeasureSurfaceInput): Promise<TaskResult<MeasuredSurface>> {
  return settle(() => measureSurface(input));
}
