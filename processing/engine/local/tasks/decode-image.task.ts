import { decodePixels, luminanceOf } from "../../../images/pixels/decode.ts";
import { type DecodedLevel, writeDecoded } from "../../../images/pixels/decoded-image.ts";
import type { WorkingImage } from "../../../images/pixels/working-image.ts";
import { buildPyramid } from "../../../photogrammetry/dense/image-pyramid.ts";
import { settle, type TaskResult } from "../../../pool/task-result.ts";

export interface DecodeImageInput {
  readonly image: WorkingImage;
  /** File that takes the colours; that of the luminance lies beside it. */
  readonly path: string;
}

/** The pixels of an image in files. */
export interface DecodedPixels {
  /** Red, green, blue. */
  readonly colour: DecodedLevel;
  /** Luminance at all sizes of a pyramid, largest first. */
  readonly grey: readonly DecodedLevel[];
}

/** Worker entry: decodes one image into files. */
export function run({ image, path }: DecodeImageInput): Promise<TaskResult<DecodedPixels>> {
  return settle(async () => {
    const { widthPx: width, heightPx: height } = image;
    const rgb = await decodePixels(image, "colour");
    const [colour] = writeDecoded(path, [{ width, height, pixels: rgb }], 3);
    if (colour === undefined) throw new RangeError("one level was written");
    const pixels = await luminanceOf(rgb, width, height);
    const levels = buildPyramid({ width, height, pixels });
    return { colour, grey: writeDecoded(`${path}.grey`, levels, 1) };
  });
}
