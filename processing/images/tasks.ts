import type { SurveyImage } from "../photogrammetry/camera/survey-image.ts";
import { declareTask } from "../pool/task.ts";
import type { ImageFile } from "./files/image-file.ts";
import { READ_BYTES, READ_MS } from "./files/image-limits.ts";

/** Checks one image, and reads its tags. */
export const READ_IMAGE = declareTask<ImageFile, SurveyImage>(import.meta.url, "read-image", {
  timeMs: READ_MS,
  memoryBytes: () => READ_BYTES,
});
