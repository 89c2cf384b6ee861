import type { HeightRange } from "../../../grid/elevation-at.ts";
import type { HeightField } from "../../../grid/elevation-grid.ts";
import {
  type DecodedLevel,
  readLevel,
  writeDecoded,
} from "../../../images/pixels/decoded-image.ts";
import type { Intrinsics, Pose } from "../../../photogrammetry/camera/camera.ts";
import { type DepthBuffer, drawDepthBuffer } from "../../../photogrammetry/ortho/depth-buffer.ts";
import {
  type PhotometricSamples,
  sampleColours,
} from "../../../photogrammetry/ortho/photometric-samples.ts";
import { settle, type TaskResult } from "../../../pool/task-result.ts";

export interface SampleColoursInput {
  readonly surface: HeightField;
  /** Of the whole surface. */
  readonly heights: HeightRange;
  /** Red, green, blue of the whole image. */
  readonly image: DecodedLevel;
  /** At the size of `image`. */
  readonly lens: Intrinsics;
  readonly pose: Pose;
  /** Where images are compared: x, y, z in turn. */
  readonly points: Float64Array;
  /** File that takes the depths. */
  readonly depthPath: string;
}

/** A depth buffer whose numbers lie in a file. */
export interface DecodedDepth extends Pick<DepthBuffer, "stepPx" | "keep"> {
  readonly inverseDepth: DecodedLevel;
}

export interface SampleColoursOutput {
  readonly depth: DecodedDepth;
  readonly samples: PhotometricSamples;
}

/** Worker entry: what one image sees of the surface, into a file, and its colours at common points. */
export function run(input: SampleColoursInput): Promise<TaskResult<SampleColoursOutput>> {
  const { surface, heights, image, lens, pose, points, depthPath } = input;
  return settle(
    () => {
      const depth = drawDepthBuffer(surface, heights, lens, pose);
      const { width, height, stepPx, keep, inverseDepth } = depth;
      const numbers = { width, height, pixels: new Uint8Array(inverseDepth.buffer) };
      const [stored] = writeDecoded(depthPath, [numbers], 4);
      if (stored === undefined) throw new RangeError("one level was written");
      const samples = sampleColours({ lens, pose, rgb: readLevel(image) }, depth, points);
      return { depth: { stepPx, keep, inverseDepth: stored }, samples };
    },
    ({ samples: { logColour, radius2 } }) =>
      [logColour, radius2].map(({ buffer }) => buffer as ArrayBuffer),
  );
}
