import type { ProductInput } from "../engine/products/product-input.ts";
import { type SurfaceFiles, surfaceFiles } from "../engine/products/surface-files.ts";
import { settle, type TaskResult } from "../pool/task-result.ts";

/** Worker entry: the surface as files. */
export function run(input: ProductInput): Promise<TaskResult<SurfaceFiles>> {
  return settle(() => surfaceFiles(input));
}
