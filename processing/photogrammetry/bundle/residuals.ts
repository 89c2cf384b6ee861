import { upperMedian } from "../../numeric/median.ts";
import type { BundleState, Observations } from "./bundle-problem.ts";
import { projectPoint } from "./project-point.ts";

/**
 * Projection less measurement of every observation of `points`, pixels: du, dv in turn; infinite for
 * points behind their camera.
 */
export function residualsOf(
  state: BundleState,
  points: Float64Array,
  { point, camera, u, v }: Observations,
  cameraLens: Int32Array,
): Float64Array {
  const residuals = new Float64Array(point.length * 2);
  const pixel = new Float64Array(2);
  for (let k = 0; k < point.length; k += 1) {
    const c = camera[k] ?? 0;
    if (projectPoint(state, c, cameraLens[c] ?? 0, points, point[k] ?? 0, pixel)) {
      residuals[k * 2] = (pixel[0] ?? 0) - (u[k] ?? 0);
      residuals[k * 2 + 1] = (pixel[1] ?? 0) - (v[k] ?? 0);
    } else residuals.fill(Number.POSITIVE_INFINITY, k * 2, k * 2 + 2);
  }
  return residuals;
}

/** Root mean square length of residuals, pixels; 0 when there are none. */
export function rmsLength(residuals: Float64Array): number {
  if (residuals.length === 0) return 0;
  const sum = residuals.reduce((total, r) => total + r * r, 0);
  return Math.sqrt((2 * sum) / residuals.length);
}

/** Median over 1 standard deviation of the length of a two-dimensional Gaussian: sqrt(2 ln 2). */
const RAYLEIGH_MEDIAN = Math.sqrt(2 * Math.LN2);

/** Standard deviation of one coordinate from the median of the residuals: wild ones do not count. */
export function medianSigma(residuals: Float64Array): number {
  const squared = Float64Array.from({ length: residuals.length / 2 }, (_, k) => {
    return (residuals[k * 2] ?? 0) ** 2 + (residuals[k * 2 + 1] ?? 0) ** 2;
  });
  return Math.sqrt(upperMedian(squared) ?? 0) / RAYLEIGH_MEDIAN;
}
