import { type BundleProblem, CAMERA_UNKNOWNS, LENS_UNKNOWNS } from "./bundle-problem.ts";
import { cauchyWeight, PIXEL_LOSS_WIDTH } from "./cauchy.ts";
import { addEntry, addObservation, type NormalEquations } from "./normal-equations.ts";
import { JACOBIAN_LENGTH, linearise } from "./observation-jacobian.ts";

/**
 * Adds the marks that people made. Their points stay unknowns of the reduced system: they are few, a scale
 * bar ties two of them together, and their covariance is needed.
 */
export function addMarkedPoints(
  normal: NormalEquations,
  { state, marks, cameraLens }: BundleProblem,
  sigmaPx: number,
): void {
  const { rotations, centres, lenses, marked } = state;
  const { lensOffset, markedOffset } = normal.layout;
  const jacobian = new Float64Array(JACOBIAN_LENGTH);
  const information = 1 / (sigmaPx * sigmaPx);
  for (let k = 0; k < marks.point.length; k += 1) {
    const point = (marks.point[k] ?? 0) * 3;
    const camera = marks.camera[k] ?? 0;
    const lens = cameraLens[camera] ?? 0;
    const [x = 0, y = 0, z = 0] = marked.subarray(point, point + 3);
    const u = marks.u[k] ?? 0;
    const v = marks.v[k] ?? 0;
    if (!linearise(rotations, centres, camera, lenses, lens, x, y, z, u, v, jacobian)) continue;
    const ru = jacobian[26] ?? 0;
    const rv = jacobian[27] ?? 0;
    const squared = (ru * ru + rv * rv) * information;
    const weight = information * cauchyWeight(squared, PIXEL_LOSS_WIDTH);
    addObservation(normal, camera, lens, jacobian, weight);
    for (let i = 0; i < 3; i += 1) {
      const row = markedOffset + point + i;
      const gu = -weight * (jacobian[3 + i] ?? 0);
      const gv = -weight * (jacobian[9 + i] ?? 0);
      for (let j = 0; j < CAMERA_UNKNOWNS; j += 1) {
        const value = gu * (jacobian[j] ?? 0) + gv * (jacobian[6 + j] ?? 0);
        addEntry(normal, row, camera * CAMERA_UNKNOWNS + j, value);
      }
      for (let j = 0; j < LENS_UNKNOWNS; j += 1) {
        const value = gu * (jacobian[12 + j] ?? 0) + gv * (jacobian[19 + j] ?? 0);
        addEntry(normal, row, lensOffset + lens * LENS_UNKNOWNS + j, value);
      }
      for (let j = 0; j <= i; j += 1) {
        const value = -gu * (jacobian[3 + j] ?? 0) - gv * (jacobian[9 + j] ?? 0);
        addEntry(normal, row, markedOffset + point + j, value);
      }
      normal.rhs[row] = (normal.rhs[row] ?? 0) - gu * ru - gv * rv;
    }
  }
}
