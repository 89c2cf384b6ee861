import { describeKeypoint, dominantDirections, prepareDescribing } from "./describe-keypoint.ts";
import { type Extremum, findExtrema } from "./extrema.ts";
import { DESCRIPTOR_BYTES, type Keypoints } from "./keypoints.ts";
import { buildScaleSpace, levelSigmaPx } from "./scale-space.ts";
import { spreadOverGrid } from "./spread.ts";

/**
 * SIFT keypoints (Lowe 2004; the image is not doubled in size first) with RootSIFT descriptors of a grey
 * image, `length width * height, row-major`. At most `maxKeypoints`, spread over the image by a grid,
 * strongest first in each pass over it. The same bytes give the same keypoints.
 */
export function detectKeypoints(
  gray: Uint8Array,
  width: number,
  height: number,
  { maxKeypoints }: { readonly maxKeypoints: number },
): Keypoints {
  const extrema: Extremum[] = [];
  let index = 0;
  const { octaves, blocks } = buildScaleSpace(gray, width, height, (differences) => {
    extrema.push(...findExtrema(differences, index));
    index += 1;
  });
  prepareDescribing(blocks);

  const places = extrema.map(({ x, y, octave, strength }) => {
    const scale = octaves[octave]?.scale ?? 1;
    return { x: x * scale, y: y * scale, strength };
  });
  const x = new Float32Array(maxKeypoints);
  const y = new Float32Array(maxKeypoints);
  const scale = new Float32Array(maxKeypoints);
  const angle = new Float32Array(maxKeypoints);
  const descriptors = new Uint8Array(maxKeypoints * DESCRIPTOR_BYTES);
  let count = 0;
  for (const i of spreadOverGrid(places, width, height, maxKeypoints)) {
    const extremum = extrema[i];
    const octave = octaves[extremum?.octave ?? 0];
    if (extremum === undefined || octave === undefined) continue;
    for (const direction of dominantDirections(octave, extremum, blocks)) {
      if (count === maxKeypoints) break;
      x[count] = extremum.x * octave.scale;
      y[count] = extremum.y * octave.scale;
      scale[count] = levelSigmaPx(extremum.level) * octave.scale;
      angle[count] = direction;
      const offset = count * DESCRIPTOR_BYTES;
      describeKeypoint(octave, extremum, direction, blocks, descriptors, offset);
      count += 1;
    }
  }
  return {
    count,
    x: x.slice(0, count),
    y: y.slice(0, count),
    scale: scale.slice(0, count),
    angle: angle.slice(0, count),
    descriptors: descriptors.slice(0, count * DESCRIPTOR_BYTES),
  };
}
