import type { BundleState, Observations } from "./bundle-problem.ts";
import { cauchyLoss, PIXEL_LOSS_WIDTH } from "./cauchy.ts";
import { projectPoint } from "./project-point.ts";

/**
 * Squared residual of a point behind the camera, in squared standard deviations. It must only be hopeless: any
 * value far above that of a wrong match does the same.
 */
const BEHIND_COST = 1e4;

/** Sum of the robust losses of all observations of `points`. */
export function imageCost(
  state: BundleState,
  points: Float64Array,
  { point, camera, u, v }: Observations,
  cameraLens: Int32Array,
  sigmaPx: number,
): number {
  const pixel = new Float64Array(2);
  const information = 1 / (sigmaPx * sigmaPx);
  let cost = 0;
  for (let k = 0; k < point.length; k += 1) {
    const c = camera[k] ?? 0;
    const isSeen = projectPoint(state, c, cameraLens[c] ?? 0, points, point[k] ?? 0, pixel);
    const du = (pixel[0] ?? 0) - (u[k] ?? 0);
    const dv = (pixel[1] ?? 0) - (v[k] ?? 0);
    const squared = isSeen ? (du * du + dv * dv) * information : BEHIND_COST;
    cost += cauchyLoss(squared, PIXEL_LOSS_WIDTH);
  }
  return cost;
}
