import { settle, type TaskResult } from "../../../pool/task-result.ts";
import { type ReadReferenceInput, type ReferenceView, readReference } from "./read-reference.ts";

/** Worker entry: the reference view of one camera. */
export function run(input: ReadReferenceInput): Promise<TaskResult<ReferenceView>> {
  return settle(() => readReference(input));
}
