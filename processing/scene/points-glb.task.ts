import { settle, type TaskResult } from "../pool/task-result.ts";
import { type PointsInput, pointsGlb } from "./points-glb.ts";

/** Worker entry: a stored surface as coloured points. */
export function run(input: PointsInput): Promise<TaskResult<Uint8Array | undefined>> {
  return settle(() => pointsGlb(input));
}
