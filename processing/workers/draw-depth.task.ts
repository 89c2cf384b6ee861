import {
  type DepthBuffer,
  drawDepthBuffer,
  type HeightField,
} from "../photogrammetry/ortho/depth-buffer.ts";
import type { ColourImage } from "../photogrammetry/ortho/ortho-view.ts";
import {
  type PhotometricSamples,
  sampleColours,
} from "../photogrammetry/ortho/photometric-samples.ts";
import { settle, type TaskResult } from "./contract.ts";

export interface DrawDepthInput {
  readonly surface: HeightField;
  readonly image: ColourImage;
  /** Where images are compared: x, y, z in turn. */
  readonly points: Float64Array;
}
export interface DrawDepthOutput {
  readonly depth: DepthBuffer;
  readonly samples: PhotometricSamples;
}

/** Worker entry: what one image sees of the surface, and its colours at common points. */
export function run({
  surface,
  image,
  points,
}: DrawDepthInput): Promise<TaskResult<DrawDepthOutput>> {
  return settle(
    () => {
      const depth = drawDepthBuffer(surface, image.lens, image.pose);
      return { depth, samples: sampleColours(image, depth, points) };
    },
    ({ depth, samples }) =>
      [depth.inverseDepth, samples.logColour, samples.radius2].map(
        ({ buffer }) => buffer as ArrayBuffer,
      ),
  );
}
