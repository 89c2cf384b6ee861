import { settle, type TaskResult } from "../../pool/task-result.ts";
import { type MeasureStoredInput, measureStored } from "./measure-stored.ts";
import type { SurfaceFigures } from "./measure-volume.ts";

/** Worker entry: the volume within a footprint of a stored survey. */
export function run(input: MeasureStoredInput): Promise<TaskResult<SurfaceFigures>> {
  return settle(() => measureStored(input));
}
