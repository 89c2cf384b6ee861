import { decodePixels } from "../../../images/pixels/decode.ts";
import { type DecodedLevel, readLevel } from "../../../images/pixels/decoded-image.ts";
import type { WorkingImage } from "../../../images/pixels/working-image.ts";
import { detectKeypoints } from "../../../photogrammetry/features/detect-keypoints.ts";
import type { Keypoints } from "../../../photogrammetry/features/keypoints.ts";
import { settle, type TaskResult } from "../../../pool/task-result.ts";

export interface FindKeypointsInput {
  readonly image: WorkingImage;
  /** Its luminance at working size, where it was decoded before. */
  readonly grey: DecodedLevel | undefined;
  readonly maxKeypoints: number;
}

/** Worker entry: keypoints of one image at working size. */
export function run(input: FindKeypointsInput): Promise<TaskResult<Keypoints>> {
  const { image, grey, maxKeypoints } = input;
  return settle(
    async () => {
      const pixels = grey === undefined ? await decodePixels(image, "grey") : readLevel(grey);
      return detectKeypoints(pixels, image.widthPx, image.heightPx, { maxKeypoints });
    },
    ({ x, y, scale, angle, descriptors }) =>
      [x, y, scale, angle, descriptors].map(({ buffer }) => buffer as ArrayBuffer),
  );
}
