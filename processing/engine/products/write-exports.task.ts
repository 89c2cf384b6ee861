import { settle, type TaskResult } from "../../pool/task-result.ts";
import { type ExportFiles, exportFiles } from "./export-files.ts";
import type { ExportInput } from "./product-input.ts";

/** Worker entry: point cloud, terrain and contours of a survey, as files. */
export function run(input: ExportInput): Promise<TaskResult<ExportFiles>> {
  return settle(() => exportFiles(input));
}
