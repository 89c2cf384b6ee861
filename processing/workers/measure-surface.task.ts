import type { MeasureSurfaceInput } from "../measurement/measure-input.ts";
import { type MeasuredSurface, measureSurface } from "../measurement/measure-surface.ts";
import { settle, type TaskResult } from "./contract.ts";

/** Worker entry: the volume within a footprint, with pictures of it. */
export function run(input: MeasureSurfaceInput): Promise<TaskResult<MeasuredSurface>> {
  return settle(() => measureSurface(input));
}
