import { type Intrinsics, undistort } from "../camera/camera.ts";

/** Room beyond the corner of the image, by squared distance from the axis. */
const REACH_MARGIN = 1.1;

/**
 * Squared distance from the axis on the plane at distance 1 beyond which a point has no image. Without
 * it the polynomial of a lens with k1 < 0 turns back far outside and lays ground into the picture that
 * the camera never saw.
 */
export function lensReach2(lens: Intrinsics): number {
  const right = lens.widthPx - 0.5;
  const bottom = lens.heightPx - 0.5;
  let reach2 = 0;
  for (const [u, v] of [
    [-0.5, -0.5],
    [right, -0.5],
    [-0.5, bottom],
    [right, bottom],
  ] as const) {
    const [x, y] = undistort(lens, u, v);
    reach2 = Math.max(reach2, x * x + y * y);
  }
  return reach2 * REACH_MARGIN;
}
