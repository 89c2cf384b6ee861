import {
  compose,
  inverse,
  type Rotation,
  rotate,
  type Vector3,
} from "../../../geometry/rotation.ts";
import type { Pose } from "../../camera/camera.ts";
import type { CameraPrior } from "../../camera/camera-prior.ts";
import type { VerifiedPair } from "../../matching/verified-pair.ts";
import type { LeftOutImage } from "./orientation.ts";
import { meetRays } from "./triangulate.ts";

/** Poses to start from, by image; images that none was found for are named instead. */
export interface InitialPoses {
  readonly poses: ReadonlyMap<number, Pose>;
  readonly leftOut: readonly LeftOutImage[];
}

/**
 * Poses by tags; where an image lacks them, its attitude comes from the neighbour with the most common
 * keypoints, and its position is where the directions from two or more neighbours meet.
 */
export function initialPoses(
  images: readonly number[],
  priors: readonly CameraPrior[],
  pairs: readonly VerifiedPair[],
): InitialPoses {
  const rotations = new Map<number, Rotation>();
  const centres = new Map<number, Vector3>();
  for (const image of images) {
    const { rotation, centre } = priors[image] ?? {};
    if (rotation) rotations.set(image, rotation);
    if (centre) centres.set(image, centre);
  }
  const known = new Set(images);
  const within = pairs.filter(({ first, second }) => known.has(first) && known.has(second));
  spreadRotations(rotations, within);
  spreadCentres(centres, rotations, images, within);
  const poses = new Map<number, Pose>();
  const leftOut: LeftOutImage[] = [];
  for (const image of images) {
    const rotation = rotations.get(image);
    const centre = centres.get(image);
    if (rotation && centre) poses.set(image, { rotation, centre });
    else leftOut.push({ image, reason: rotation ? "no_position" : "no_attitude" });
  }
  return { poses, leftOut };
}

/** Follows the pairs from images with a rotation to those without, the best matched pair first. */
function spreadRotations(rotations: Map<number, Rotation>, pairs: readonly VerifiedPair[]): void {
  const byMatches = pairs.toSorted((a, b) => b.matches.length - a.matches.length);
  for (;;) {
    const pair = byMatches.find((p) => rotations.has(p.first) !== rotations.has(p.second));
    if (!pair) return;
    const first = rotations.get(pair.first);
    const second = rotations.get(pair.second);
    if (first) rotations.set(pair.second, compose(pair.rotation, first));
    else if (second) rotations.set(pair.first, compose(inverse(pair.rotation), second));
  }
}

/** Cuts directions from images with a position until no further image is found. */
function spreadCentres(
  centres: Map<number, Vector3>,
  rotations: ReadonlyMap<number, Rotation>,
  images: readonly number[],
  pairs: readonly VerifiedPair[],
): void {
  for (let found = true; found; ) {
    found = false;
    for (const image of images) {
      if (centres.has(image)) continue;
      const origin: number[] = [];
      const direction: number[] = [];
      for (const pair of pairs) {
        if (pair.first !== image && pair.second !== image) continue;
        const from = centres.get(pair.first === image ? pair.second : pair.first);
        const first = rotations.get(pair.first);
        if (!from || !first) continue;
        origin.push(...from);
        // The line is the same from either end.
        direction.push(...rotate(inverse(first), pair.direction));
      }
      const count = origin.length / 3;
      const rays = { origin: Float64Array.from(origin), direction: Float64Array.from(direction) };
      const meeting = new Float64Array(3);
      if (count < 2 || !meetRays(rays, count, meeting)) continue;
      const [x = 0, y = 0, z = 0] = meeting;
      centres.set(image, [x, y, z]);
      found = true;
    }
  }
}
