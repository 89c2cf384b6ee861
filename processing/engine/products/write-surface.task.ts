import { settle, type TaskResult } from "../../pool/task-result.ts";
import type { ProductInput } from "./product-input.ts";
import { type SurfaceFiles, surfaceFiles } from "./surface-files.ts";

/** Worker entry: the surface as files. */
export function run(input: ProductInput): Promise<TaskResult<SurfaceFiles>> {
  return settle(() => surfaceFiles(input));
}
