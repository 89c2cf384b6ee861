import { decodePixels } from "../../../images/pixels/decode.ts";
import type { WorkingImage } from "../../../images/pixels/working-image.ts";
import { detectKeypoints } from "../../../photogrammetry/features/detect-keypoints.ts";
import type { Keypoints } from "../../../photogrammetry/features/keypoints.ts";
import { settle, type TaskResult } from "../../../pool/task-result.ts";

export interface FindKeypointsInput {
  readonly image: WorkingImage;
  readonly maxKeypoints: number;
}

/** Worker entry: keypoints of one image at working size. */
export function run({ image, maxKeypoints }: FindKeypointsInput): Promise<TaskResult<Keypoints>> {
  return settle(
    async () => {
      const { widthPx, heightPx } = image;
      const grey = await decodePixels(image, "grey");
      return detectKeypoints(grey, widthPx, heightPx, { maxKeypoints });
    },
    ({ x, y, scale, angle, descriptors }) =>
      [x, y, scale, angle, descriptors].map(({ buffer }) => buffer as ArrayBuffer),
  );
}
