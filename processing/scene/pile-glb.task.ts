import { settle, type TaskResult } from "../pool/task-result.ts";
import { type PileInput, pileGlb } from "./pile-glb.ts";

/** Worker entry: a measured pile as a model. */
export function run(input: PileInput): Promise<TaskResult<Uint8Array>> {
  return settle(() => pileGlb(input));
}
