import {
  estimateByViews,
  type ViewEstimationInput,
  type ViewsEstimate,
} from "../progress/camera/estimate-by-views.ts";

import { settle, type TaskResult } from "./contract.ts";

/** Worker entry: what the views of one zone say. */
export function run(input: ViewEstimationInput): Promise<TaskResult<ViewsEstimate>> {
  return settle(() => estimateByViews(input));
}
