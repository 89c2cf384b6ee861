import { settle, type TaskResult } from "../../../pool/task-result.ts";
import { drawZonePlan } from "./draw-zone-plan.ts";
import type { ZonePlanFiles, ZonePlanInput } from "./zone-plan.ts";

/** Worker entry: map and model of the zones of a report. */
export function run(input: ZonePlanInput): Promise<TaskResult<ZonePlanFiles>> {
  return settle(() => drawZonePlan(input));
}
