import { type OrthoFiles, orthoFiles } from "../engine/products/ortho-files.ts";
import type { ProductInput } from "../engine/products/product-input.ts";
import { settle, type TaskResult } from "../pool/task-result.ts";

/** Worker entry: the orthophoto as files. */
export function run(input: ProductInput): Promise<TaskResult<OrthoFiles>> {
  return settle(() => orthoFiles(input));
}
