/**
 * Layout of a linearised observation: du by the camera's six unknowns, dv by the same (by the point
 * they are those of the centre, negated), du by the lens's seven, dv by the same; then projection
 * less measurement, u and v, in pixels.
 */
export const JACOBIAN_LENGTH = 6 + 6 + 7 + 7 + 2;

/** Nearer than this in front of the camera (metres) a point has no image. As in `camera.ts`. */
export const MIN_DEPTH_M = 0.01;

/**
 * Linearises the image of one point: the model of `camera.ts`, with the rotation R changed to
 * exp(w) R. Arrays are those of a bundle's state.
 * @returns `false`, and `out` untouched, when the point lies behind the camera.
 */
export function linearise(
  rotations: Float64Array,
  centres: Float64Array,
  camera: number,
  lenses: Float64Array,
  lens: number,
  px: number,
  py: number,
  pz: number,
  u: number,
  v: number,
  out: Float64Array,
): boolean {
  const ro = camera * 9;
  const r6 = rotations[ro + 6] ?? 0;
  const r7 = rotations[ro + 7] ?? 0;
  const r8 = rotations[ro + 8] ?? 0;
  const dx = px - (centres[camera * 3] ?? 0);
  const dy = py - (centres[camera * 3 + 1] ?? 0);
  const dz = pz - (centres[camera * 3 + 2] ?? 0);
  const zc = r6 * dx + r7 * dy + r8 * dz;
  if (!(zc > MIN_DEPTH_M)) return false;
  const r0 = rotations[ro] ?? 0;
  const r1 = rotations[ro + 1] ?? 0;
  const r2 = rotations[ro + 2] ?? 0;
  const r3 = rotations[ro + 3] ?? 0;
  const r4 = rotations[ro + 4] ?? 0;
  const r5 = rotations[ro + 5] ?? 0;
  const xc = r0 * dx + r1 * dy + r2 * dz;
  const yc = r3 * dx + r4 * dy + r5 * dz;
  const lo = lens * 7;
  const f = lenses[lo] ?? 0;
  const k1 = lenses[lo + 3] ?? 0;
  const k2 = lenses[lo + 4] ?? 0;
  const p1 = lenses[lo + 5] ?? 0;
  const p2 = lenses[lo + 6] ?? 0;
  const inverseDepth = 1 / zc;
  const x = xc * inverseDepth;
  const y = yc * inverseDepth;
  const q = x * x + y * y;
  const radial = 1 + q * (k1 + k2 * q);
  const ux = x * radial + 2 * p1 * x * y + p2 * (q + 2 * x * x);
  const uy = y * radial + p1 * (q + 2 * y * y) + 2 * p2 * x * y;
  // d(u, v) / d(x, y): d radial / dx = x * slope.
  const slope = 2 * k1 + 4 * k2 * q;
  const uByX = f * (radial + x * x * slope + 2 * p1 * y + 6 * p2 * x);
  const uByY = f * (x * y * slope + 2 * p1 * x + 2 * p2 * y);
  const vByY = f * (radial + y * y * slope + 6 * p1 * y + 2 * p2 * x);
  // d(u, v) / d(point in the camera's frame); d v / dx = d u / dy for this model.
  const a0 = uByX * inverseDepth;
  const a1 = uByY * inverseDepth;
  const a2 = -(uByX * x + uByY * y) * inverseDepth;
  const b0 = a1;
  const b1 = vByY * inverseDepth;
  const b2 = -(uByY * x + vByY * y) * inverseDepth;
  // A small rotation w moves the point by w x Xc.
  out[0] = a2 * yc - a1 * zc;
  out[1] = a0 * zc - a2 * xc;
  out[2] = a1 * xc - a0 * yc;
  out[3] = -(a0 * r0 + a1 * r3 + a2 * r6);
  out[4] = -(a0 * r1 + a1 * r4 + a2 * r7);
  out[5] = -(a0 * r2 + a1 * r5 + a2 * r8);
  out[6] = b2 * yc - b1 * zc;
  out[7] = b0 * zc - b2 * xc;
  out[8] = b1 * xc - b0 * yc;
  out[9] = -(b0 * r0 + b1 * r3 + b2 * r6);
  out[10] = -(b0 * r1 + b1 * r4 + b2 * r7);
  out[11] = -(b0 * r2 + b1 * r5 + b2 * r8);
  out[12] = ux;
  out[13] = 1;
  out[14] = 0;
  out[15] = f * x * q;
  out[16] = f * x * q * q;
  out[17] = f * 2 * x * y;
  out[18] = f * (q + 2 * x * x);
  out[19] = uy;
  out[20] = 0;
  out[21] = 1;
  out[22] = f * y * q;
  out[23] = f * y * q * q;
  out[24] = f * (q + 2 * y * y);
  out[25] = f * 2 * x * y;
  out[26] = f * ux + (lenses[lo + 1] ?? 0) - u;
  out[27] = f * uy + (lenses[lo + 2] ?? 0) - v;
  return true;
}
