import {
  compose,
  inverse,
  type Rotation,
  rotate,
  type Vector3,
} from "../../../geometry/rotation.ts";
import { choleskySolve } from "../../../numeric/cholesky-solve.ts";
import { upperMedian } from "../../../numeric/median.ts";
import { type Intrinsics, type Pose, undistort } from "../../camera/camera.ts";
import { fillRotations, pairWeight, turnOnto } from "../../matching/rotation-graph.ts";
import type { ImagePoints, Tracks } from "../../matching/tracks.ts";
import type { VerifiedPair } from "../../matching/verified-pair.ts";
import { largestConnectedGroup } from "./connected-images.ts";
import { consistentPairs } from "./consistent-pairs.ts";

/**
 * Median distance of the cameras from their tie points in the network's own frame, metres: about that of a
 * survey, so that limits in metres mean the same.
 */
export const NETWORK_DEPTH_M = 50;

/** Rounds of reweighting by depth and residual; centres move by less than 1 % after eight. */
const ROUNDS = 12;
/** Steps of inverse iteration a round: the smallest eigenvalue is 1e-3 of the next and less. */
const STEPS = 6;
/** Angle at which an observation counts half, rad: what averaged rotations are off by. */
const ROBUST_RAD = 0.02;
/** Share of the mean diagonal that keeps the matrix positive definite. */
const RIDGE = 1e-9;
/** Tracks in two images check nothing, and say little of where cameras are. */
const LEAST_VIEWS = 3;

export interface NetworkInput {
  readonly imageCount: number;
  /** Lens of each image. */
  readonly lensOf: (image: number) => Intrinsics | undefined;
  readonly keypoints: readonly ImagePoints[];
  readonly pairs: readonly VerifiedPair[];
  readonly tracks: Tracks;
  readonly chosen: Int32Array;
}

/** Rays of one track in the frame of the network. */
interface Bundle {
  readonly cameras: Int32Array;
  /** Unit, three numbers a ray. */
  readonly directions: Float64Array;
  readonly weights: Float64Array;
  readonly point: Float64Array;
}

/**
 * Poses of images that no tags place, from the pictures alone: relative rotations are averaged over the pairs
 * that agree, then all centres are found at once from the tracks, whose rays have to meet once rotations
 * are known (a linear problem; Rother 2003, "Linear multiview reconstruction", with the perpendicular distance
 * of rays). The frame is the network's own: cameras look down in the mean, place, turn about the vertical and
 * scale are arbitrary.
 */
export function freeNetwork(input: NetworkInput): ReadonlyMap<number, Pose> {
  const agreeing = consistentPairs(input.pairs);
  const group = largestConnectedGroup(input.imageCount, agreeing);
  const rotations = averagedRotations(group, agreeing, input.imageCount);
  const images = group.filter((image) => rotations[image] !== undefined);
  const bundles = bundlesOf(input, images, rotations);
  const centres = meetBundles(bundles, images.length);
  if (centres === undefined) return new Map();
  return new Map(
    images.flatMap((image, camera): [number, Pose][] => {
      const rotation = rotations[image];
      const [x = 0, y = 0, z = 0] = centres.subarray(camera * 3, camera * 3 + 3);
      return rotation === undefined ? [] : [[image, { rotation, centre: [x, y, z] }]];
    }),
  );
}

/** Rotations of a group relative to its best matched image, turned so that the mean view is straight down. */
function averagedRotations(
  group: readonly number[],
  pairs: readonly VerifiedPair[],
  imageCount: number,
): readonly (Rotation | undefined)[] {
  const strength = new Float64Array(imageCount);
  for (const pair of pairs) {
    strength[pair.first] = (strength[pair.first] ?? 0) + pairWeight(pair);
    strength[pair.second] = (strength[pair.second] ?? 0) + pairWeight(pair);
  }
  const root = group.reduce(
    (a, b) => ((strength[b] ?? 0) > (strength[a] ?? 0) ? b : a),
    group[0] ?? 0,
  );
  const rotations: (Rotation | undefined)[] = Array.from({ length: imageCount });
  rotations[root] = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
  fillRotations(rotations, pairs);
  const view = group.reduce<Vector3>(
    ([x, y, z], image) => {
      const r = rotations[image];
      return [x + (r?.[6] ?? 0), y + (r?.[7] ?? 0), z + (r?.[8] ?? 0)];
    },
    [0, 0, 0],
  );
  const length = Math.hypot(...view) || 1;
  const down = turnOnto([0, 0, -1], [view[0] / length, view[1] / length, view[2] / length]);
  return rotations.map((rotation) => rotation && compose(rotation, down));
}

function bundlesOf(
  { lensOf, keypoints, tracks, chosen }: NetworkInput,
  images: readonly number[],
  rotations: readonly (Rotation | undefined)[],
): readonly Bundle[] {
  const cameraOf = new Map(images.map((image, camera) => [image, camera]));
  const bundles: Bundle[] = [];
  for (const t of chosen) {
    const cameras: number[] = [];
    const directions: number[] = [];
    for (let entry = tracks.start[t] ?? 0; entry < (tracks.start[t + 1] ?? 0); entry += 1) {
      const image = tracks.image[entry] ?? 0;
      const [camera, rotation, lens] = [cameraOf.get(image), rotations[image], lensOf(image)];
      if (camera === undefined || rotation === undefined || lens === undefined) continue;
      const at = tracks.keypoint[entry] ?? 0;
      const [x, y] = undistort(lens, keypoints[image]?.x[at] ?? 0, keypoints[image]?.y[at] ?? 0);
      const length = Math.hypot(x, y, 1);
      cameras.push(camera);
      directions.push(...rotate(inverse(rotation), [x / length, y / length, 1 / length]));
    }
    if (cameras.length < LEAST_VIEWS) continue;
    bundles.push({
      cameras: Int32Array.from(cameras),
      directions: Float64Array.from(directions),
      weights: new Float64Array(cameras.length).fill(1),
      point: new Float64Array(3),
    });
  }
  return bundles;
}

/**
 * Centres from which the rays of every bundle meet: sum w |(1 - d d') (X - C)|^2 is least with the first centre
 * at 0 and the others of unit length together, the points X eliminated. Weights follow the angle by which
 * rays miss and the depth, so that near points do not win.
 */
function meetBundles(bundles: readonly Bundle[], cameras: number): Float64Array | undefined {
  const size = 3 * (cameras - 1);
  if (cameras < 3 || bundles.length < cameras) return undefined;
  // Cameras in one place would be the worst start; any other does.
  let vector = Float64Array.from({ length: size }, (_, i) => Math.cos(1 + i * i));
  let centres = new Float64Array(cameras * 3);
  for (let round = 0; round < ROUNDS; round += 1) {
    const matrix = reducedMatrix(bundles, size);
    for (let step = 0; step < STEPS; step += 1) {
      const next = choleskySolve(matrix.slice(), vector);
      const length = Math.hypot(...next);
      vector = next.map((value) => value / length);
    }
    centres = new Float64Array(cameras * 3);
    centres.set(vector, 3);
    const depths = placePoints(bundles, centres);
    const middle = upperMedian(depths) ?? 0;
    if (middle === 0) return undefined;
    // An eigenvector has no sign: points lie in front of the cameras.
    const scale = NETWORK_DEPTH_M / middle;
    centres = centres.map((value) => value * scale);
    placePoints(bundles, centres);
    weigh(bundles, centres);
  }
  return centres;
}

/** The normal matrix of all centres but the first, row-major. */
function reducedMatrix(bundles: readonly Bundle[], size: number): Float64Array {
  const matrix = new Float64Array(size * size);
  const add = (row: number, column: number, block: Float64Array, sign: number) => {
    if (row < 0 || column < 0) return;
    for (let i = 0; i < 3; i += 1) {
      for (let j = 0; j < 3; j += 1) {
        const at = (row + i) * size + column + j;
        matrix[at] = (matrix[at] ?? 0) + sign * (block[i * 3 + j] ?? 0);
      }
    }
  };
  for (const { cameras, directions, weights } of bundles) {
    const across = Array.from(cameras, (_, k) => projector(directions, k, weights[k] ?? 0));
    const sum = new Float64Array(9);
    for (const block of across)
      block.forEach((value, i) => {
        sum[i] = (sum[i] ?? 0) + value;
      });
    const inverted = inverted3(sum);
    if (inverted === undefined) continue;
    cameras.forEach((a, i) => {
      const row = 3 * (a - 1);
      add(row, row, across[i] ?? sum, 1);
      const left = compose(across[i] ?? sum, inverted);
      for (const [j, b] of cameras.entries()) {
        add(row, 3 * (b - 1), compose(left, across[j] ?? sum), -1);
      }
    });
  }
  let trace = 0;
  for (let i = 0; i < size; i += 1) trace += matrix[i * size + i] ?? 0;
  for (let i = 0; i < size; i += 1) {
    matrix[i * size + i] = (matrix[i * size + i] ?? 0) + (RIDGE * trace) / size;
  }
  return matrix;
}

/** Puts each point where its rays come nearest to each other; yields the depths of all rays, signed. */
function placePoints(bundles: readonly Bundle[], centres: Float64Array): Float64Array {
  const depths: number[] = [];
  for (const { cameras, directions, weights, point } of bundles) {
    const sum = new Float64Array(9);
    const right = [0, 0, 0];
    cameras.forEach((camera, k) => {
      const block = projector(directions, k, weights[k] ?? 0);
      const centre = [0, 1, 2].map((axis) => centres[camera * 3 + axis] ?? 0);
      for (let i = 0; i < 9; i += 1) sum[i] = (sum[i] ?? 0) + (block[i] ?? 0);
      for (let i = 0; i < 3; i += 1) {
        const [x = 0, y = 0, z = 0] = block.subarray(i * 3, i * 3 + 3);
        right[i] =
          (right[i] ?? 0) + x * (centre[0] ?? 0) + y * (centre[1] ?? 0) + z * (centre[2] ?? 0);
      }
    });
    const inverted = inverted3(sum);
    if (inverted === undefined) continue;
    point.set(rotate(inverted, [right[0] ?? 0, right[1] ?? 0, right[2] ?? 0]));
    for (const [k, camera] of cameras.entries()) {
      depths.push(depthOf(point, centres, camera, directions, k));
    }
  }
  return Float64Array.from(depths);
}

function weigh(bundles: readonly Bundle[], centres: Float64Array): void {
  for (const { cameras, directions, weights, point } of bundles) {
    cameras.forEach((camera, k) => {
      const depth = depthOf(point, centres, camera, directions, k);
      const distance = Math.hypot(
        ...[0, 1, 2].map((axis) => (point[axis] ?? 0) - (centres[camera * 3 + axis] ?? 0)),
      );
      const angle = depth <= 0 ? Math.PI / 2 : Math.acos(Math.min(1, depth / distance));
      const range = Math.max(distance, NETWORK_DEPTH_M / 10) / NETWORK_DEPTH_M;
      weights[k] = 1 / (range * range * (1 + (angle / ROBUST_RAD) ** 2));
    });
  }
}

function depthOf(
  point: Float64Array,
  centres: Float64Array,
  camera: number,
  directions: Float64Array,
  ray: number,
): number {
  let depth = 0;
  for (let axis = 0; axis < 3; axis += 1) {
    const from = (point[axis] ?? 0) - (centres[camera * 3 + axis] ?? 0);
    depth += from * (directions[ray * 3 + axis] ?? 0);
  }
  return depth;
}

/** `weight` times (1 - d d'), row-major 3 x 3. */
function projector(directions: Float64Array, ray: number, weight: number): Float64Array {
  const block = new Float64Array(9);
  for (let i = 0; i < 3; i += 1) {
    for (let j = 0; j < 3; j += 1) {
      const product = (directions[ray * 3 + i] ?? 0) * (directions[ray * 3 + j] ?? 0);
      block[i * 3 + j] = weight * ((i === j ? 1 : 0) - product);
    }
  }
  return block;
}

/** Least determinant over the cube of the trace: rays within 0.3 degrees of each other fix no point. */
const PARALLEL = 1e-7;

function inverted3(m: Float64Array): Float64Array | undefined {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 0] = m;
  const [A, B, C] = [e * i - f * h, c * h - b * i, b * f - c * e];
  const determinant = a * A + d * B + g * C;
  if (!(determinant > PARALLEL * (a + e + i) ** 3)) return undefined;
  return Float64Array.of(
    A,
    B,
    C,
    f * g - d * i,
    a * i - c * g,
    c * d - a * f,
    d * h - e * g,
    b * g - a * h,
    a * e - b * d,
  ).map((value) => value / determinant);
}
