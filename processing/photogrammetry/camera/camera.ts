import type { Rotation, Vector3 } from "../../geometry/rotation.ts";

/**
 * A lens and sensor after Brown and Conrady, in pixels of the size that the images are worked on at;
 * pixel (0, 0) is the middle of the upper left one. With x, y on the plane at distance 1 and
 * r2 = x2 + y2: u = f (x (1 + k1 r2 + k2 r4) + 2 p1 x y + p2 (r2 + 2 x2)) + cx, and v likewise
 * (Brown 1971; the signs and order are OpenCV's).
 */
export interface Intrinsics {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly focalPx: number;
  readonly cxPx: number;
  readonly cyPx: number;
  readonly k1: number;
  readonly k2: number;
  readonly p1: number;
  readonly p2: number;
}

/** Position and attitude of a camera. */
export interface Pose {
  /** Camera from world. */
  readonly rotation: Rotation;
  /** Projection centre in ENU at the survey's origin: x east, y north, z up, metres. */
  readonly centre: Vector3;
}

/** Pixel (u, v) and the distance along the view, metres. */
export interface Projection {
  u: number;
  v: number;
  depth: number;
}

/** Nearer than this in front of the camera (metres) a point has no image. */
const MIN_DEPTH_M = 0.01;

/** Image of a point of the world; `false`, and `out` untouched, when it lies behind the camera. */
export function project(
  lens: Intrinsics,
  { rotation: r, centre }: Pose,
  point: Vector3,
  out: Projection,
): boolean {
  const dx = point[0] - centre[0];
  const dy = point[1] - centre[1];
  const dz = point[2] - centre[2];
  const depth = (r[6] ?? 0) * dx + (r[7] ?? 0) * dy + (r[8] ?? 0) * dz;
  if (!(depth > MIN_DEPTH_M)) return false;
  const x = ((r[0] ?? 0) * dx + (r[1] ?? 0) * dy + (r[2] ?? 0) * dz) / depth;
  const y = ((r[3] ?? 0) * dx + (r[4] ?? 0) * dy + (r[5] ?? 0) * dz) / depth;
  const r2 = x * x + y * y;
  const radial = 1 + r2 * (lens.k1 + lens.k2 * r2);
  out.u =
    lens.focalPx * (x * radial + 2 * lens.p1 * x * y + lens.p2 * (r2 + 2 * x * x)) + lens.cxPx;
  out.v =
    lens.focalPx * (y * radial + lens.p1 * (r2 + 2 * y * y) + 2 * lens.p2 * x * y) + lens.cyPx;
  out.depth = depth;
  return true;
}

/** Rounds of the fixed point; 20 bring a lens of |k1| <= 0.3 to 1e-9 at the corner. */
const UNDISTORT_ROUNDS = 20;

/** The point (x, y) at distance 1 whose image is (u, v): the inverse of the lens. */
export function undistort(lens: Intrinsics, u: number, v: number): readonly [number, number] {
  const xd = (u - lens.cxPx) / lens.focalPx;
  const yd = (v - lens.cyPx) / lens.focalPx;
  let x = xd;
  let y = yd;
  for (let i = 0; i < UNDISTORT_ROUNDS; i += 1) {
    const r2 = x * x + y * y;
    const radial = 1 + r2 * (lens.k1 + lens.k2 * r2);
    const nextX = (xd - 2 * lens.p1 * x * y - lens.p2 * (r2 + 2 * x * x)) / radial;
    y = (yd - lens.p1 * (r2 + 2 * y * y) - 2 * lens.p2 * x * y) / radial;
    x = nextX;
  }
  return [x, y];
}

/** The same lens for images of another size. */
export function scaleIntrinsics(lens: Intrinsics, widthPx: number): Intrinsics {
  const s = widthPx / lens.widthPx;
  return {
    ...lens,
    widthPx,
    heightPx: Math.round(lens.heightPx * s),
    focalPx: lens.focalPx * s,
    // The corner of the image stays where it is, half a pixel beside the middle of pixel 0.
    cxPx: (lens.cxPx + 0.5) * s - 0.5,
    cyPx: (lens.cyPx + 0.5) * s - 0.5,
  };
}
