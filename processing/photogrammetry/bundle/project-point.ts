import type { BundleState } from "./bundle-problem.ts";
import { MIN_DEPTH_M } from "./observation-jacobian.ts";

/**
 * Pixel of a point on the arrays of a bundle, the model of `camera.ts` without its objects.
 * @returns `false`, and `out` untouched, when the point lies behind the camera.
 */
export function projectPoint(
  { rotations: r, centres, lenses }: Pick<BundleState, "rotations" | "centres" | "lenses">,
  camera: number,
  lens: number,
  points: Float64Array,
  point: number,
  out: Float64Array,
): boolean {
  const at = camera * 9;
  const dx = (points[point * 3] ?? 0) - (centres[camera * 3] ?? 0);
  const dy = (points[point * 3 + 1] ?? 0) - (centres[camera * 3 + 1] ?? 0);
  const dz = (points[point * 3 + 2] ?? 0) - (centres[camera * 3 + 2] ?? 0);
  const depth = (r[at + 6] ?? 0) * dx + (r[at + 7] ?? 0) * dy + (r[at + 8] ?? 0) * dz;
  if (!(depth > MIN_DEPTH_M)) return false;
  const x = ((r[at] ?? 0) * dx + (r[at + 1] ?? 0) * dy + (r[at + 2] ?? 0) * dz) / depth;
  const y = ((r[at + 3] ?? 0) * dx + (r[at + 4] ?? 0) * dy + (r[at + 5] ?? 0) * dz) / depth;
  const lo = lens * 7;
  const p1 = lenses[lo + 5] ?? 0;
  const p2 = lenses[lo + 6] ?? 0;
  const f = lenses[lo] ?? 0;
  const q = x * x + y * y;
  const radial = 1 + q * ((lenses[lo + 3] ?? 0) + (lenses[lo + 4] ?? 0) * q);
  out[0] = f * (x * radial + 2 * p1 * x * y + p2 * (q + 2 * x * x)) + (lenses[lo + 1] ?? 0);
  out[1] = f * (y * radial + p1 * (q + 2 * y * y) + 2 * p2 * x * y) + (lenses[lo + 2] ?? 0);
  return true;
}
