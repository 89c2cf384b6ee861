import { describe, expect, it } from "vitest";
import {
  type Intrinsics,
  project,
  scaleIntrinsics,
  undistort,
} from "../../../../processing/photogrammetry/camera/camera.ts";

const plain: Intrinsics = {
  widthPx: 1_600,
  heightPx: 1_200,
  focalPx: 1_000,
  cxPx: 799.5,
  cyPx: 599.5,
  k1: 0,
  k2: 0,
  p1: 0,
  p2: 0,
};
const bent: Intrinsics = { ...plain, k1: -0.12, k2: 0.03, p1: 0.001, p2: -0.0007 };
/** Points straight down, the top of the image to the north: x east, y south, z down. */
const down = Float64Array.of(1, 0, 0, 0, -1, 0, 0, 0, -1);

describe("a camera 40 m above the ground that points down", () => {
  const pose = { rotation: down, centre: [10, 20, 40] as const };
  const out = { u: 0, v: 0, depth: 0 };

  it("a camera 40 m above the ground that points down sees the point below it in the middle of the image, 40 m away", () => {
    expect(project(plain, pose, [10, 20, 0], out)).toBe(true);
    expect(out).toEqual({ u: 799.5, v: 599.5, depth: 40 });
  });

  it("a camera 40 m above the ground that points down sees 4 m to the east 100 px to the right, and 4 m to the north 100 px up", () => {
    project(plain, pose, [14, 24, 0], out);
    expect(out.u).toBeCloseTo(899.5, 10);
    expect(out.v).toBeCloseTo(499.5, 10);
  });

  it("a camera 40 m above the ground that points down does not see what is above it", () => {
    expect(project(plain, pose, [10, 20, 41], out)).toBe(false);
  });
});

it("a camera bends a ray by Brown's formula", () => {
  // x = 0.5, y = 0, r2 = 0.25: x (1 - 0.12 / 4 + 0.03 / 16) + 3 * -0.0007 * 0.25 = 0.4854125.
  const pose = { rotation: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1), centre: [0, 0, 0] as const };
  const out = { u: 0, v: 0, depth: 0 };
  project(bent, pose, [1, 0, 2], out);
  expect((out.u - 799.5) / 1_000).toBeCloseTo(0.4854125, 12);
  // y = p1 * r2.
  expect((out.v - 599.5) / 1_000).toBeCloseTo(0.00025, 12);
});

it("a camera undoes its lens to a millionth of a pixel, in all corners", () => {
  const pose = { rotation: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1), centre: [0, 0, 0] as const };
  const out = { u: 0, v: 0, depth: 0 };
  for (const [u, v] of [
    [0, 0],
    [1_599, 0],
    [0, 1_199],
    [1_599, 1_199],
    [800, 30],
  ] as const) {
    const [x, y] = undistort(bent, u, v);
    project(bent, pose, [x, y, 1], out);
    expect(out.u).toBeCloseTo(u, 6);
    expect(out.v).toBeCloseTo(v, 6);
  }
});

it("a camera keeps the outer edge of the image where it is when the size changes", () => {
  const half = scaleIntrinsics(bent, 800);
  // The left edge is u = -0.5 in both: (u - cx) / f is the same ray.
  expect((-0.5 - half.cxPx) / half.focalPx).toBeCloseTo((-0.5 - bent.cxPx) / bent.focalPx, 12);
  expect((799.5 - half.cxPx) / half.focalPx).toBeCloseTo((1_599.5 - bent.cxPx) / bent.focalPx, 12);
  expect(half).toMatchObject({ widthPx: 800, heightPx: 600, k1: bent.k1 });
});
