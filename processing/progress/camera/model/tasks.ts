import { BASE_BYTES, declareTask, SHORT_MS } from "../../../pool/task.ts";
import type { ViewEstimationInput, ViewsEstimate } from "./estimate-by-views.ts";

export const JUDGE_ZONE = declareTask<ViewEstimationInput, ViewsEstimate>(
  import.meta.url,
  "judge-zone",
  { timeMs: SHORT_MS, memoryBytes: () => 2 * BASE_BYTES },
);
