import { settle, type TaskResult } from "../../../pool/task-result.ts";
import {
  estimateByViews,
  type ViewEstimationInput,
  type ViewsEstimate,
} from "./estimate-by-views.ts";

/** Worker entry: what the views of one zone say. */
export function run(input: ViewEstimationInput): Promise<TaskResult<ViewsEstimate>> {
  return settle(() => estimateByViews(input));
}
