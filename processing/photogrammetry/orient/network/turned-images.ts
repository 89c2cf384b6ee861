import { compose, HALF_TURN, type Rotation, rotate } from "../../../geometry/rotation.ts";
import type { Intrinsics } from "../../camera/camera.ts";
import type { ImagePoints } from "../../matching/tracks.ts";
import type { Reconstruction } from "../../reconstruction/reconstruction.ts";
import type { ImageMark, Orientation, OrientInput } from "../block/orientation.ts";

type Size = Pick<Intrinsics, "widthPx" | "heightPx">;

/**
 * The input with these images as the camera took them. A lens is fixed to its sensor: in a turned image its
 * principal point and tangential distortion lie on the other side. Turned and unturned images of one camera
 * have one lens only as they were taken.
 */
export function asTaken(input: OrientInput, turned: readonly number[]): OrientInput {
  const isTurned = new Set(turned);
  const turn = (image: number, rotation: Rotation) =>
    isTurned.has(image) ? compose(HALF_TURN, rotation) : rotation;
  const markTaken = (mark: ImageMark): ImageMark => {
    const size = sizeOf(input, mark.image);
    if (size === undefined || !isTurned.has(mark.image)) return mark;
    return {
      ...mark,
      u: size.widthPx - 1 - mark.u,
      v: size.heightPx - 1 - mark.v,
      corner: [size.widthPx - 0.5, size.heightPx - 0.5],
    };
  };
  return {
    ...input,
    priors: input.priors.map((prior, image) => ({
      ...prior,
      rotation: prior.rotation && turn(image, prior.rotation),
    })),
    keypoints: input.keypoints.map((points, image) => {
      const size = sizeOf(input, image);
      return size !== undefined && isTurned.has(image) ? turnedPoints(points, size) : points;
    }),
    pairs: input.pairs.map((pair) => {
      const { first, second, rotation, direction } = pair;
      if (!isTurned.has(first) && !isTurned.has(second)) return pair;
      const fromTaken = isTurned.has(first) ? compose(rotation, HALF_TURN) : rotation;
      return {
        ...pair,
        rotation: turn(second, fromTaken),
        direction: isTurned.has(first) ? rotate(HALF_TURN, direction) : direction,
      };
    }),
    control: input.control.map((point) => ({ ...point, marks: point.marks.map(markTaken) })),
    scaleBars: input.scaleBars.map((bar) => ({
      ...bar,
      ends: [bar.ends[0].map(markTaken), bar.ends[1].map(markTaken)] as const,
    })),
  };
}

/** The result of {@link asTaken} for the images as they are stored: turned ones have lenses of their own. */
export function asStored(orientation: Orientation, turned: readonly number[]): Orientation {
  const { reconstruction } = orientation;
  if (reconstruction === undefined) return orientation;
  return { ...orientation, reconstruction: storedReconstruction(reconstruction, new Set(turned)) };
}

function storedReconstruction(
  taken: Reconstruction,
  isTurned: ReadonlySet<number>,
): Reconstruction {
  const lenses = [...taken.lenses];
  const focal = [...taken.summary.focal];
  const lensOfTurned = new Map<number, number>();
  const lensesAsTaken = new Set(
    taken.cameras.filter(({ image }) => !isTurned.has(image)).map(({ lens }) => lens),
  );
  const turnedLens = (lens: number): number => {
    const known = lensOfTurned.get(lens);
    const intrinsics = taken.lenses[lens];
    if (known !== undefined || intrinsics === undefined) return known ?? lens;
    // A lens whose images are all turned is turned in its place: none may be left without a camera.
    const own = lensesAsTaken.has(lens) ? lenses.length : lens;
    lensOfTurned.set(lens, own);
    lenses[own] = turnedIntrinsics(intrinsics);
    const same = taken.summary.focal[lens];
    if (same !== undefined) focal[own] = same;
    return own;
  };
  const cameras = taken.cameras.map((camera) => {
    if (!isTurned.has(camera.image)) return camera;
    const { rotation, centre } = camera.pose;
    const pose = { rotation: compose(HALF_TURN, rotation), centre };
    return { ...camera, lens: turnedLens(camera.lens), pose };
  });
  const u = taken.observations.u.slice();
  const v = taken.observations.v.slice();
  for (const [i, camera] of taken.observations.camera.entries()) {
    const { image = -1, lens = -1 } = taken.cameras[camera] ?? {};
    const size = taken.lenses[lens];
    if (size === undefined || !isTurned.has(image)) continue;
    u[i] = size.widthPx - 1 - (u[i] ?? 0);
    v[i] = size.heightPx - 1 - (v[i] ?? 0);
  }
  return {
    ...taken,
    cameras,
    lenses,
    observations: { ...taken.observations, u, v },
    summary: { ...taken.summary, focal },
  };
}

/** The lens in an image that was turned: with x and y of the other sign, so have centre and p1, p2. */
function turnedIntrinsics(lens: Intrinsics): Intrinsics {
  return {
    ...lens,
    cxPx: lens.widthPx - 1 - lens.cxPx,
    cyPx: lens.heightPx - 1 - lens.cyPx,
    p1: -lens.p1,
    p2: -lens.p2,
  };
}

function turnedPoints({ count, x, y }: ImagePoints, { widthPx, heightPx }: Size): ImagePoints {
  return {
    count,
    x: x.map((value) => widthPx - 1 - value),
    y: y.map((value) => heightPx - 1 - value),
  };
}

/** Working size of an image; `undefined`: it has no lens and takes no part. */
function sizeOf({ priors, lenses }: OrientInput, image: number): Size | undefined {
  return lenses[priors[image]?.lens ?? -1]?.intrinsics;
}
