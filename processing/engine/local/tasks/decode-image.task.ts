import { decodePixels } from "../../../images/pixels/decode.ts";
import { type DecodedLevel, writeDecoded } from "../../../images/pixels/decoded-image.ts";
import type { WorkingImage } from "../../../images/pixels/working-image.ts";
import { buildPyramid } from "../../../photogrammetry/dense/image-pyramid.ts";
import { settle, type TaskResult } from "../../../pool/task-result.ts";

export interface DecodeImageInput {
  readonly image: WorkingImage;
  /** `grey`: the luminance at all sizes of a pyramid; `colour`: red, green, blue at one size. */
  readonly kind: "grey" | "colour";
  /** File that takes the pixels. */
  readonly path: string;
}

/** Worker entry: decodes one image into a file; its levels, largest first. */
export function run({
  image,
  kind,
  path,
}: DecodeImageInput): Promise<TaskResult<readonly DecodedLevel[]>> {
  return settle(async () => {
    const pixels = await decodePixels(image, kind);
    const whole = { width: image.widthPx, height: image.heightPx, pixels };
    return kind === "grey"
      ? writeDecoded(path, buildPyramid(whole), 1)
      : writeDecoded(path, [whole], 3);
  });
}
