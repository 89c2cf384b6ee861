import type { SurveyImage } from "../photogrammetry/camera/survey-image.ts";
import { settle, type TaskResult } from "../pool/task-result.ts";
import type { ImageFile } from "./files/image-file.ts";
import { readImage } from "./read-image.ts";

/** Worker entry. Holds no logic: everything testable is in `./read-image.ts`. */
export function run(file: ImageFile): Promise<TaskResult<SurveyImage>> {
  return settle(() => readImage(file));
}
