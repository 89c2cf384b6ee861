import { settle, type TaskResult } from "../../pool/task-result.ts";
import { makeLogo } from "./make-logo.ts";
import type { LogoInput, MadeLogo } from "./tasks.ts";

/** Worker entry: one logo. */
export function run(input: LogoInput): Promise<TaskResult<MadeLogo>> {
  return settle(() => makeLogo(input));
}
