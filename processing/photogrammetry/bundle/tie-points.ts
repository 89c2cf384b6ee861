import { type BundleProblem, CAMERA_UNKNOWNS, LENS_UNKNOWNS } from "./bundle-problem.ts";

/** Numbers that tie one camera to one point (6x3), and one lens to one point (7x3). */
export const CAMERA_LINK = CAMERA_UNKNOWNS * 3;
export const LENS_LINK = LENS_UNKNOWNS * 3;

/** What is needed to find the points again once the cameras are known (the back substitution). */
export interface TiePoints {
  /** Observations of point p are `start[p]` up to `start[p + 1]`. */
  readonly start: Int32Array;
  /** Lenses that see point p: `lens[slotStart[p]]` up to `lens[slotStart[p + 1]]`. */
  readonly slotStart: Int32Array;
  readonly lens: Int32Array;
  readonly slotOfObservation: Int32Array;
  /** J_camera' w J_point of each observation, and J_lens' w J_point of each slot. */
  readonly cameraLinks: Float64Array;
  readonly lensLinks: Float64Array;
  /** Upper triangle of the inverse of each point's damped 3x3 block, and its right side. */
  readonly inverses: Float64Array;
  readonly rhs: Float64Array;
}

export function createTiePoints({ state, observations, cameraLens }: BundleProblem): TiePoints {
  const pointCount = state.points.length / 3;
  const count = observations.point.length;
  const start = new Int32Array(pointCount + 1);
  for (const p of observations.point) start[p + 1] = (start[p + 1] ?? 0) + 1;
  for (let p = 0; p < pointCount; p += 1) start[p + 1] = (start[p + 1] ?? 0) + (start[p] ?? 0);
  const slotStart = new Int32Array(pointCount + 1);
  const slotOfObservation = new Int32Array(count);
  const lens: number[] = [];
  for (let p = 0; p < pointCount; p += 1) {
    const first = lens.length;
    for (let k = start[p] ?? 0; k < (start[p + 1] ?? 0); k += 1) {
      const group = cameraLens[observations.camera[k] ?? 0] ?? 0;
      let slot = lens.indexOf(group, first);
      if (slot < 0) slot = lens.push(group) - 1;
      slotOfObservation[k] = slot;
    }
    slotStart[p + 1] = lens.length;
  }
  return {
    start,
    slotStart,
    lens: Int32Array.from(lens),
    slotOfObservation,
    cameraLinks: new Float64Array(count * CAMERA_LINK),
    lensLinks: new Float64Array(lens.length * LENS_LINK),
    inverses: new Float64Array(pointCount * 6),
    rhs: new Float64Array(pointCount * 3),
  };
}

/** Moves the points by what the step of cameras and lenses leaves for them (back substitution). */
export function moveTiePoints(
  points: Float64Array,
  cameraOf: Int32Array,
  { start, slotStart, lens, cameraLinks, lensLinks, inverses, rhs }: TiePoints,
  step: Float64Array,
  lensOffset: number,
): void {
  for (let p = 0; p < points.length / 3; p += 1) {
    let r0 = rhs[p * 3] ?? 0;
    let r1 = rhs[p * 3 + 1] ?? 0;
    let r2 = rhs[p * 3 + 2] ?? 0;
    for (let k = start[p] ?? 0; k < (start[p + 1] ?? 0); k += 1) {
      const column = (cameraOf[k] ?? 0) * CAMERA_UNKNOWNS;
      for (let i = 0; i < CAMERA_UNKNOWNS; i += 1) {
        const d = step[column + i] ?? 0;
        const w = k * CAMERA_LINK + i * 3;
        r0 -= (cameraLinks[w] ?? 0) * d;
        r1 -= (cameraLinks[w + 1] ?? 0) * d;
        r2 -= (cameraLinks[w + 2] ?? 0) * d;
      }
    }
    for (let s = slotStart[p] ?? 0; s < (slotStart[p + 1] ?? 0); s += 1) {
      const column = lensOffset + (lens[s] ?? 0) * LENS_UNKNOWNS;
      for (let i = 0; i < LENS_UNKNOWNS; i += 1) {
        const d = step[column + i] ?? 0;
        const w = s * LENS_LINK + i * 3;
        r0 -= (lensLinks[w] ?? 0) * d;
        r1 -= (lensLinks[w + 1] ?? 0) * d;
        r2 -= (lensLinks[w + 2] ?? 0) * d;
      }
    }
    const i01 = inverses[p * 6 + 1] ?? 0;
    const i02 = inverses[p * 6 + 2] ?? 0;
    const i12 = inverses[p * 6 + 4] ?? 0;
    points[p * 3] = (points[p * 3] ?? 0) + (inverses[p * 6] ?? 0) * r0 + i01 * r1 + i02 * r2;
    points[p * 3 + 1] =
      (points[p * 3 + 1] ?? 0) + i01 * r0 + (inverses[p * 6 + 3] ?? 0) * r1 + i12 * r2;
    points[p * 3 + 2] =
      (points[p * 3 + 2] ?? 0) + i02 * r0 + i12 * r1 + (inverses[p * 6 + 5] ?? 0) * r2;
  }
}
