import { cameraFiles } from "../engine/products/camera-files.ts";
import type { ExportFiles } from "../engine/products/export-files.ts";
import type { ProductInput } from "../engine/products/product-input.ts";
import { settle, type TaskResult } from "../pool/task-result.ts";

/** Worker entry: cameras of a survey for other programs, as files. */
export function run(input: ProductInput): Promise<TaskResult<ExportFiles>> {
  return settle(() => cameraFiles(input));
}
