import { settle, type TaskResult } from "../../pool/task-result.ts";
import type { ProductInput } from "./product-input.ts";
import { type ReportFiles, reportFiles } from "./report-files.ts";

/** Worker entry: the quality report as files. */
export function run(input: ProductInput): Promise<TaskResult<ReportFiles>> {
  return settle(() => reportFiles(input));
}
