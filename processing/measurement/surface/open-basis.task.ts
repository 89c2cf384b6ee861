import type { SurveyFacts } from "../../epoch/survey-facts.ts";
import { settle, type TaskResult } from "../../pool/task-result.ts";
import { openBasis } from "./open-basis.ts";

/** Worker entry: the survey that volumes are computed from, out of its file. */
export function run({ basis }: { readonly basis: Uint8Array }): Promise<TaskResult<SurveyFacts>> {
  return settle(() => openBasis(basis));
}
