import { type ExportFiles, exportFiles } from "../engine/products/export-files.ts";
import type { ProductInput } from "../engine/products/product-input.ts";
import { settle, type TaskResult } from "./contract.ts";

/** Worker entry: what other programs want of a survey, as files. */
export function run(input: ProductInput): Promise<TaskResult<ExportFiles>> {
  return settle(() => exportFiles(input));
}
