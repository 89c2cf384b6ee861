import { type ModelFiles, modelFiles } from "../engine/products/model-files.ts";
import type { ProductInput } from "../engine/products/product-input.ts";
import { settle, type TaskResult } from "../pool/task-result.ts";

/** Worker entry: the textured model as a file. */
export function run(input: ProductInput): Promise<TaskResult<ModelFiles>> {
  return settle(() => modelFiles(input));
}
