import { settle, type TaskResult } from "../../pool/task-result.ts";
import { type ModelFiles, modelFiles } from "./model-files.ts";
import type { ProductInput } from "./product-input.ts";

/** Worker entry: the textured model as a file. */
export function run(input: ProductInput): Promise<TaskResult<ModelFiles>> {
  return settle(() => modelFiles(input));
}
