import { type BundlePriors, type BundleState, LENS_UNKNOWNS } from "../../bundle/bundle-problem.ts";
import type { Intrinsics, Pose } from "../../camera/camera.ts";
import type { CameraPrior, LensPrior } from "../../camera/camera-prior.ts";

/** The cameras that are adjusted together, numbered along the block (see {@link orderAlongBlock}). */
export interface SurveyBlock {
  /** Image of each camera. */
  readonly images: readonly number[];
  /** Camera of each image of the survey; -1 where it has none. */
  readonly cameraOfImage: Int32Array;
  readonly cameraLens: Int32Array;
  readonly priors: readonly CameraPrior[];
  readonly lenses: readonly LensPrior[];
}

/**
 * Spread of the common offset of a receiver without RTK, metres: consumer receivers are 1 to 3 m off,
 * heights may be above another zero altogether (docs/photogrammetry.md#traps-of-real-images).
 */
export const BIAS_SIGMA_M = { horizontal: 5, vertical: 100 } as const;

export function createBlock(
  poses: ReadonlyMap<number, Pose>,
  priors: readonly CameraPrior[],
  lenses: readonly LensPrior[],
): SurveyBlock {
  const images = orderAlongBlock(poses);
  const cameraOfImage = new Int32Array(priors.length).fill(-1);
  images.forEach((image, camera) => {
    cameraOfImage[image] = camera;
  });
  return {
    images,
    cameraOfImage,
    cameraLens: Int32Array.from(images, (image) => priors[image]?.lens ?? 0),
    priors: images.flatMap((image) => priors[image] ?? []),
    lenses,
  };
}

/**
 * Images by where they lie along the block's longer axis. Cameras that see common ground then have
 * near numbers, which keeps the normal matrix near its diagonal and its factorisation short.
 */
function orderAlongBlock(poses: ReadonlyMap<number, Pose>): readonly number[] {
  const entries = [...poses].sort(([a], [b]) => a - b);
  const mean = (axis: 0 | 1) =>
    entries.reduce((sum, [, { centre }]) => sum + centre[axis], 0) / entries.length;
  const east = mean(0);
  const north = mean(1);
  let xx = 0;
  let xy = 0;
  let yy = 0;
  for (const [, { centre }] of entries) {
    const dx = centre[0] - east;
    const dy = centre[1] - north;
    xx += dx * dx;
    xy += dx * dy;
    yy += dy * dy;
  }
  const axis = Math.atan2(2 * xy, xx - yy) / 2;
  const along = ({ centre }: Pose) => centre[0] * Math.cos(axis) + centre[1] * Math.sin(axis);
  return entries.sort(([a, p], [b, q]) => along(p) - along(q) || a - b).map(([image]) => image);
}

/** The state to start from: tags, and lenses as they are expected to be; no points yet. */
export function initialState(
  { images, lenses, priors }: SurveyBlock,
  poses: ReadonlyMap<number, Pose>,
): BundleState {
  const rotations = new Float64Array(images.length * 9);
  const centres = new Float64Array(images.length * 3);
  images.forEach((image, camera) => {
    const pose = poses.get(image);
    if (!pose) return;
    rotations.set(pose.rotation, camera * 9);
    centres.set(pose.centre, camera * 3);
  });
  return {
    rotations,
    centres,
    lenses: Float64Array.from(lenses.flatMap(({ intrinsics }) => lensValues(intrinsics))),
    bias: new Float64Array(priors.some(isCompanion) ? 6 : 3),
    points: new Float64Array(0),
    marked: new Float64Array(0),
  };
}

/** What tags and lens data say, with their standard deviations. */
export function bundlePriors(
  { priors, lenses }: SurveyBlock,
  marked: Pick<BundlePriors, "marked" | "markedSigma">,
): BundlePriors {
  const centres = new Float64Array(priors.length * 3);
  const centreSigma = new Float64Array(priors.length * 3);
  const rotations = new Float64Array(priors.length * 9);
  const rotationSigma = new Float64Array(priors.length);
  priors.forEach(({ centre, centreSigmaM, rotation, rotationSigmaRad }, camera) => {
    if (centre) {
      centres.set(centre, camera * 3);
      centreSigma.set(centreSigmaM, camera * 3);
    }
    if (rotation) {
      rotations.set(rotation, camera * 9);
      rotationSigma[camera] = rotationSigmaRad;
    }
  });
  const sharesBias = Uint8Array.from(priors, ({ centre, isRtk }) => (centre && !isRtk ? 1 : 0));
  // With nothing else to place the block, its frame is that of the tags, bias and all.
  const own = priors.filter((prior) => !isCompanion(prior));
  const isPlaced =
    marked.markedSigma.some((sigma) => sigma > 0) || placingPositions(priors).length > 0;
  const ownIsBiased = isPlaced && own.some(({ centre, isRtk }) => centre && !isRtk);
  const { horizontal, vertical } = BIAS_SIGMA_M;
  const free = [horizontal, horizontal, vertical];
  return {
    centres,
    centreSigma,
    sharesBias,
    // Two flights differ by more than either scatters; with RTK they may by what their bases were off.
    biasOf: Int32Array.from(priors, (prior, camera) => {
      if (isCompanion(prior)) return 1;
      return sharesBias[camera] === 1 ? 0 : -1;
    }),
    biasSigma: Float64Array.of(
      ...(ownIsBiased ? free : [0, 0, 0]),
      ...(own.length < priors.length ? free : []),
    ),
    rotations,
    rotationSigma,
    lenses: Float64Array.from(lenses.flatMap(({ intrinsics }) => lensValues(intrinsics))),
    lensSigma: Float64Array.from(
      lenses.flatMap(({ sigma: { focalPx, centrePx, k1, k2, tangential } }) => [
        focalPx,
        centrePx,
        centrePx,
        k1,
        k2,
        tangential,
        tangential,
      ]),
    ),
    ...marked,
  };
}

/**
 * The cameras whose positions place a block without an offset: those by RTK. The offset of the others is found along
 * with the block. Those of an earlier flight place nothing, for its base may have been off.
 */
export function placingPositions(priors: readonly CameraPrior[]): readonly number[] {
  return priors.flatMap((prior, camera) =>
    prior.isRtk && prior.centre !== undefined && !isCompanion(prior) ? [camera] : [],
  );
}

function isCompanion({ isOfEarlierFlight }: CameraPrior): boolean {
  return isOfEarlierFlight === true;
}

function lensValues(lens: Intrinsics): number[] {
  return [lens.focalPx, lens.cxPx, lens.cyPx, lens.k1, lens.k2, lens.p1, lens.p2];
}

/** The lenses of a state as the rest of the pipeline takes them. */
export function intrinsicsOf({ lenses }: SurveyBlock, state: BundleState): Intrinsics[] {
  return lenses.map(({ intrinsics: { widthPx, heightPx } }, lens) => {
    const at = lens * LENS_UNKNOWNS;
    const [focalPx = 0, cxPx = 0, cyPx = 0, k1 = 0, k2 = 0, p1 = 0, p2 = 0] = state.lenses.subarray(
      at,
      at + LENS_UNKNOWNS,
    );
    return { widthPx, heightPx, focalPx, cxPx, cyPx, k1, k2, p1, p2 };
  });
}

/** The pose of one camera in a state. */
export function poseOf({ rotations, centres }: BundleState, camera: number): Pose {
  const [x = 0, y = 0, z = 0] = centres.subarray(camera * 3, camera * 3 + 3);
  return { rotation: rotations.slice(camera * 9, camera * 9 + 9), centre: [x, y, z] };
}

/** Steeper than this below the horizon a camera counts as looking down. */
const NADIR_SINE = Math.sin((70 * Math.PI) / 180);

/** Whether a camera looks down, by the numbers of its rotation that start at `at`. */
export function looksDown(rotations: Float64Array, at = 0): boolean {
  return (rotations[at + 8] ?? 0) < -NADIR_SINE;
}
