import { createEnuFrame, type SurveyOrigin } from "./enu.ts";
import { compose, inverse, type Rotation, rotate, type Vector3 } from "./rotation.ts";

/** A change of frame: `to = scale * rotation * from + translation`, metres. */
export interface Similarity {
  readonly scale: number;
  readonly rotation: Rotation;
  readonly translation: Vector3;
}

export function applySimilarity({ scale, rotation, translation }: Similarity, p: Vector3): Vector3 {
  const [x, y, z] = rotate(rotation, p);
  return [scale * x + translation[0], scale * y + translation[1], scale * z + translation[2]];
}

/** First `first`, then `second`. */
export function chainSimilarities(second: Similarity, first: Similarity): Similarity {
  return {
    scale: second.scale * first.scale,
    rotation: compose(second.rotation, first.rotation),
    translation: applySimilarity(second, first.translation),
  };
}

export function invertSimilarity({ scale, rotation, translation }: Similarity): Similarity {
  const back = inverse(rotation);
  const [x, y, z] = rotate(back, translation);
  return { scale: 1 / scale, rotation: back, translation: [-x / scale, -y / scale, -z / scale] };
}

/** Long enough that rounding of coordinates about the earth (1e-9 m) does not turn the axes. */
const AXIS_M = 1_000;

/**
 * From the ENU frame of one survey into that of another: the same places on the ellipsoid. What the
 * positions of both are off by is not in it.
 */
export function betweenFrames(from: SurveyOrigin, to: SurveyOrigin): Similarity {
  const [source, target] = [createEnuFrame(from), createEnuFrame(to)];
  const moved = (p: Vector3) => target.toEnu(source.toGeodetic(p));
  const translation = moved([0, 0, 0]);
  const axes = [moved([AXIS_M, 0, 0]), moved([0, AXIS_M, 0]), moved([0, 0, AXIS_M])];
  const rotation = new Float64Array(9);
  axes.forEach((end, column) => {
    end.forEach((value, row) => {
      rotation[row * 3 + column] = (value - (translation[row] ?? 0)) / AXIS_M;
    });
  });
  return { scale: 1, rotation, translation };
}
