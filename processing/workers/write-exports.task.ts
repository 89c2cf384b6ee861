import { type ExportFiles, exportFiles } from "../engine/products/export-files.ts";
import type { ExportInput } from "../engine/products/product-input.ts";
import { settle, type TaskResult } from "../pool/task-result.ts";

/** Worker entry: point cloud, terrain and contours of a survey, as files. */
export function run(input: ExportInput): Promise<TaskResult<ExportFiles>> {
  return settle(() => exportFiles(input));
}
