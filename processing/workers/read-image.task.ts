import type { ImageFile } from "../engine/port/engine.ts";
import { readImage } from "../images/read-image.ts";
import type { SurveyImage } from "../photogrammetry/camera/survey-image.ts";
import { settle, type TaskResult } from "../pool/task-result.ts";

/** Worker entry. Holds no logic: everything testable is in `../images/read-image.ts`. */
export function run(file: ImageFile): Promise<TaskResult<SurveyImage>> {
  return settle(() => readImage(file));
}
