import { decodePixels } from "../images/decode.ts";
import type { WorkingImage } from "../images/working-image.ts";
import { buildPyramid, type ImagePyramid } from "../photogrammetry/dense/image-pyramid.ts";
import { settle, type TaskResult } from "./contract.ts";

export interface LoadPyramidInput {
  readonly image: WorkingImage;
  /** Takes all levels; see `pyramidBytes`. */
  readonly buffer: SharedArrayBuffer;
}

/** Worker entry: luminance of one image at all sizes, on shared memory. */
export function run({ image, buffer }: LoadPyramidInput): Promise<TaskResult<ImagePyramid>> {
  return settle(async () => {
    const pixels = await decodePixels(image, "grey");
    return buildPyramid({ width: image.widthPx, height: image.heightPx, pixels }, buffer);
  });
}
