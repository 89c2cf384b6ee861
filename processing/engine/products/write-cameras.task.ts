import { settle, type TaskResult } from "../../pool/task-result.ts";
import { cameraFiles } from "./camera-files.ts";
import type { ExportFiles } from "./export-files.ts";
import type { ProductInput } from "./product-input.ts";

/** Worker entry: cameras of a survey for other programs, as files. */
export function run(input: ProductInput): Promise<TaskResult<ExportFiles>> {
  return settle(() => cameraFiles(input));
}
