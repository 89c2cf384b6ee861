import type { ImageFile } from "../engine/engine.ts";
import { readImage } from "../images/read-image.ts";
import type { SurveyImage } from "../photogrammetry/survey-image.ts";
import { settle, type TaskResult } from "./contract.ts";

/** Worker entry. Holds no logic: everything testable is in `../images/read-image.ts`. */
export function run(file: ImageFile): Promise<TaskResult<SurveyImage>> {
  return settle(() => readImage(file));
}
