import { decodePixels } from "../images/decode.ts";
import type { WorkingImage } from "../images/working-image.ts";
import { settle, type TaskResult } from "./contract.ts";

export interface LoadColourInput {
  readonly image: WorkingImage;
  /** Takes red, green, blue of every pixel: `widthPx * heightPx * 3` bytes. */
  readonly buffer: SharedArrayBuffer;
}

/** Worker entry: colours of one image at working size, onto shared memory. */
export function run({ image, buffer }: LoadColourInput): Promise<TaskResult<null>> {
  return settle(async () => {
    new Uint8Array(buffer).set(await decodePixels(image, "colour"));
    return null;
  });
}
