import {
  DESCRIPTOR_BYTES,
  type Keypoints,
} from "../../processing/photogrammetry/features/keypoints.ts";

/** Keypoints at the given places, of scale 2, with the given angles and descriptors or zeros. */
export function keypointsAt(
  places: readonly (readonly [number, number])[],
  angles: readonly number[] = [],
  descriptors = new Uint8Array(places.length * DESCRIPTOR_BYTES),
): Keypoints {
  return {
    count: places.length,
    x: Float32Array.from(places, ([x]) => x),
    y: Float32Array.from(places, ([, y]) => y),
    scale: new Float32Array(places.length).fill(2),
    angle: Float32Array.from(places, (_, i) => angles[i] ?? 0),
    descriptors,
  };
}
