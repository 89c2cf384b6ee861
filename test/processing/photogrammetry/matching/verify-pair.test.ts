import { describe, expect, it } from "vitest";
import {
  angleBetween,
  compose,
  inverse,
  type Rotation,
  rotate,
  rotationFromVector,
  type Vector3,
} from "../../../../processing/geometry/rotation.ts";
import { type Intrinsics, project } from "../../../../processing/photogrammetry/camera/camera.ts";
import { rotationFromGimbal } from "../../../../processing/photogrammetry/camera/gimbal-rotation.ts";
import {
  type PairedImage,
  verifyPair,
} from "../../../../processing/photogrammetry/matching/verify-pair.ts";
import { keypointsAt } from "../../../support/keypoints.ts";
import { seededRandom } from "../../../support/seeded-random.ts";

const lens: Intrinsics = {
  widthPx: 1200,
  heightPx: 900,
  focalPx: 860,
  cxPx: 599.5,
  cyPx: 449.5,
  k1: -0.03,
  k2: 0.01,
  p1: 0,
  p2: 0,
};
const FLIP = Float64Array.of(-1, 0, 0, 0, -1, 0, 0, 0, 1);
const MATCHES = Uint32Array.from({ length: 400 }, (_, i) => i >> 1);
const DEGREES = 180 / Math.PI;

interface Scene {
  readonly rotations?: readonly [Rotation, Rotation];
  readonly centres?: readonly [Vector3, Vector3];
  /** Height of the ground, metres, up to this. */
  readonly reliefM?: number;
  /** Share of false matches. */
  readonly falseShare?: number;
}

const down = (yawDeg: number, pitchDeg = -90) =>
  rotationFromGimbal({ yawDeg, pitchDeg, rollDeg: 0 });

/** Two images of 200 matched points with 0.4 px noise, and the true poses. */
function scene({
  rotations = [down(20), down(23)],
  centres = [
    [0, 0, 40],
    [9, 6, 40.5],
  ],
  reliefM = 4,
  falseShare = 0.3,
}: Scene) {
  const random = seededRandom(11);
  const noise = () => 0.8 * (random() - 0.5) * 2;
  const places: (readonly [readonly [number, number], readonly [number, number]])[] = [];
  const pixel = { u: 0, v: 0, depth: 0 };
  const shownBy = (k: 0 | 1, point: Vector3): readonly [number, number] | undefined => {
    const isInFront = project(lens, { rotation: rotations[k], centre: centres[k] }, point, pixel);
    if (!isInFront || pixel.u < 0 || pixel.u > 1200 || pixel.v < 0 || pixel.v > 900)
      return undefined;
    return [pixel.u + noise(), pixel.v + noise()];
  };
  while (places.length < 200) {
    const point = [60 * random() - 25, 60 * random() - 25, reliefM * random()] as const;
    const [a, b] = [shownBy(0, point), shownBy(1, point)];
    if (a === undefined || b === undefined) continue;
    const isFalse = random() < falseShare;
    places.push([a, isFalse ? [1200 * random(), 900 * random()] : b]);
  }
  // A keypoint turns with the image: from x towards y, by the yaw between the two.
  const relative = compose(rotations[1], inverse(rotations[0]));
  const turn = Math.atan2(relative[3] ?? 0, relative[0] ?? 0);
  const image = (k: 0 | 1): PairedImage => ({
    image: k === 0 ? 4 : 9,
    keypoints: keypointsAt(
      places.map((place) => place[k]),
      places.map(() => (k === 0 ? 0.3 : 0.3 + turn)),
    ),
    lens,
    rotation: rotations[k],
    centre: centres[k],
  });
  const baseline = [0, 1, 2].map((i) => (centres[1][i] ?? 0) - (centres[0][i] ?? 0));
  const [x = 0, y = 0, z = 0] = baseline;
  return {
    first: image(0),
    second: image(1),
    relative,
    direction: rotate(rotations[0], [x, y, z]),
  };
}

/** Errors of the verified pose, degrees, and how many matches it keeps. */
function outcome(first: PairedImage, second: PairedImage, truth: ReturnType<typeof scene>) {
  const pair = verifyPair(first, second, MATCHES);
  if (!("rotation" in pair)) throw new Error(`not verified: ${JSON.stringify(pair)}`);
  const cosine =
    pair.direction.reduce((sum, value, k) => sum + value * (truth.direction[k] ?? 0), 0) /
    Math.hypot(...truth.direction);
  return {
    rotationDeg: angleBetween(pair.rotation, truth.relative) * DEGREES,
    directionDeg: Math.acos(Math.min(1, cosine)) * DEGREES,
    kept: pair.matches.length / 2,
  };
}

function expectTrue({ rotationDeg, directionDeg }: ReturnType<typeof outcome>) {
  // 0.4 px is 0.03 degrees a match; the pose of 140 matches stays near that, but never without error.
  expect(rotationDeg).toBeLessThan(0.6);
  expect(rotationDeg).toBeGreaterThan(1e-4);
  expect(directionDeg).toBeLessThan(3);
}

const off = (rotation: Rotation | undefined, by: Vector3) =>
  rotation && compose(rotationFromVector(by), rotation);

describe("verifyPair", () => {
  it("verifyPair finds the pose among 30 % false matches, from tags 5 degrees off", () => {
    const truth = scene({});
    const second = { ...truth.second, rotation: off(truth.second.rotation, [0.06, -0.05, 0.05]) };
    const found = outcome(truth.first, second, truth);

    expectTrue(found);
    // 140 are true; of 60 false ones a few lie within 3 px of their epipolar line (6 px of 900 px).
    expect(found.kept).toBeGreaterThan(125);
    expect(found.kept).toBeLessThan(155);
  });

  it("verifyPair finds it without tags, and when the second image is turned round against its tags", () => {
    const truth = scene({});
    const bare = { rotation: undefined, centre: undefined };
    expectTrue(outcome({ ...truth.first, ...bare }, { ...truth.second, ...bare }, truth));

    const turned = scene({ rotations: [down(20), compose(FLIP, down(23))] });
    expectTrue(outcome(turned.first, { ...turned.second, rotation: down(23) }, turned));
  });

  it("verifyPair finds it among 60 % false matches", () => {
    const truth = scene({ falseShare: 0.6 });

    expectTrue(outcome(truth.first, truth.second, truth));
  });

  it("verifyPair takes the true one of the two poses that level ground allows", () => {
    const truth = scene({ reliefM: 0.02 });
    const second = { ...truth.second, rotation: off(truth.second.rotation, [0.05, -0.04, 0.03]) };

    expect(outcome(truth.first, second, truth).rotationDeg).toBeLessThan(3);
  });

  it("verifyPair finds an oblique against a nadir view without tags", () => {
    const truth = scene({
      rotations: [down(20), down(20, -50)],
      centres: [
        [0, 0, 40],
        [-10, -24, 40],
      ],
    });
    const bare = { rotation: undefined, centre: undefined };

    expectTrue(outcome({ ...truth.first, ...bare }, { ...truth.second, ...bare }, truth));
  });

  it("verifyPair keeps keypoints as pairs of the first and the second image", () => {
    const truth = scene({ falseShare: 0 });
    const pair = verifyPair(truth.first, truth.second, MATCHES);

    expect(pair).toMatchObject({ first: 4, second: 9, candidates: 200 });
    expect("matches" in pair && pair.matches.slice(0, 4)).toEqual(Uint32Array.of(0, 0, 1, 1));
  });

  it("verifyPair gives the same bytes each time", () => {
    const { first, second } = scene({});

    expect(verifyPair(first, second, MATCHES)).toEqual(verifyPair(first, second, MATCHES));
  });

  it("verifyPair refuses matches of chance and too few matches", () => {
    const { first, second } = scene({ falseShare: 1 });

    const byChance = verifyPair(first, second, MATCHES);
    expect(byChance).toMatchObject({ first: 4, second: 9, candidates: 200 });
    expect("rotation" in byChance).toBe(false);
    expect(verifyPair(first, second, MATCHES.slice(0, 40))).toEqual({
      first: 4,
      second: 9,
      candidates: 20,
      inliers: 0,
    });
  });
});
