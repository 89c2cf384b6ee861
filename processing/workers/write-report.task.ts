import type { ProductInput } from "../engine/products/product-input.ts";
import { type ReportFiles, reportFiles } from "../engine/products/report-files.ts";
import { settle, type TaskResult } from "../pool/task-result.ts";

/** Worker entry: the quality report as files. */
export function run(input: ProductInput): Promise<TaskResult<ReportFiles>> {
  return settle(() => reportFiles(input));
}
