import {
  type ReadReferenceInput,
  type ReferenceView,
  readReference,
} from "../progress/camera/read-reference.ts";

import { settle, type TaskResult } from "./contract.ts";

/** Worker entry: the reference view of one camera. */
export function run(input: ReadReferenceInput): Promise<TaskResult<ReferenceView>> {
  return settle(() => readReference(input));
}
