import { settle, type TaskResult } from "../../pool/task-result.ts";
import { type OrthoFiles, orthoFiles } from "./ortho-files.ts";
import type { ProductInput } from "./product-input.ts";

/** Worker entry: the orthophoto as files. */
export function run(input: ProductInput): Promise<TaskResult<OrthoFiles>> {
  return settle(() => orthoFiles(input));
}
