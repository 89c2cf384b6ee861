import { settle, type TaskResult } from "../pool/task-result.ts";
import { encodeBasis } from "./survey-basis.ts";
import type { SurveyFacts } from "./survey-facts.ts";

/** Worker entry: the file that volumes of a survey are computed from later. */
export function run(survey: SurveyFacts): Promise<TaskResult<Uint8Array>> {
  return settle(() => encodeBasis(survey));
}
