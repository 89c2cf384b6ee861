import type { BundleState } from "../bundle/bundle-problem.ts";
import type { BundleSigmas } from "../bundle/covariance.ts";
import type { AdjustmentSummary } from "../reconstruction.ts";
import { looksDown, type SurveyBlock } from "./survey-block.ts";

/**
 * What gimbals of a flight are off by in common, rad: makers level them to some tenths of a degree, and
 * that does not average out over images.
 */
const GIMBAL_SIGMA_RAD = (0.5 * Math.PI) / 180;
/** Rounds of reweighting of the ground's plane. Piles and roofs have lost their weight by then. */
const ROUNDS = 10;
/** Least spread of the ground about its plane that residuals are weighed by, metres. */
const LEAST_SPREAD_M = 0.1;

/**
 * How level the model may be believed to be, and how steep the ground in it is.
 * @param inflation by which drift makes positions less sure than if their errors were independent
 */
export function tiltFigures(
  { points }: BundleState,
  sigmas: BundleSigmas | undefined,
  scaleFrom: AdjustmentSummary["scaleFrom"],
  inflation: number,
): Pick<AdjustmentSummary, "tiltSigmaRad" | "groundTiltRad"> {
  const formal = sigmas?.tilt ?? Number.POSITIVE_INFINITY;
  const isHeld = scaleFrom === "rtk" || scaleFrom === "control_points";
  return {
    tiltSigmaRad: isHeld ? formal : Math.hypot(inflation * formal, GIMBAL_SIGMA_RAD),
    groundTiltRad: slopeOfGround(points),
  };
}

/** Share of images that look down by the attitudes that the block began with. */
export function expectedNadirShare({ priors }: SurveyBlock): number {
  const known = priors.flatMap(({ rotation }) => rotation ?? []);
  return known.filter((rotation) => looksDown(rotation)).length / known.length;
}

/** Slope of the plane that most tie points lie near: z = a x + b y + c, reweighted by Cauchy's loss. */
function slopeOfGround(points: Float64Array): number {
  const count = points.length / 3;
  if (count < 3) return Number.NaN;
  const mean = [0, 1, 2].map((axis) =>
    points.reduce((sum, value, i) => (i % 3 === axis ? sum + value / count : sum), 0),
  );
  let [a, b, c] = [0, 0, 0];
  let spread = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round += 1) {
    let [s, x, y, z, xx, xy, yy, xz, yz] = [0, 0, 0, 0, 0, 0, 0, 0, 0];
    const lengths = new Float64Array(count);
    for (let i = 0; i < count; i += 1) {
      const px = (points[i * 3] ?? 0) - (mean[0] ?? 0);
      const py = (points[i * 3 + 1] ?? 0) - (mean[1] ?? 0);
      const pz = (points[i * 3 + 2] ?? 0) - (mean[2] ?? 0);
      const off = pz - a * px - b * py - c;
      lengths[i] = Math.abs(off);
      const weight = 1 / (1 + (off / spread) ** 2);
      s += weight;
      x += weight * px;
      y += weight * py;
      z += weight * pz;
      xx += weight * px * px;
      xy += weight * px * py;
      yy += weight * py * py;
      xz += weight * px * pz;
      yz += weight * py * pz;
    }
    const [sxx, sxy, syy] = [xx - (x * x) / s, xy - (x * y) / s, yy - (y * y) / s];
    const [sxz, syz] = [xz - (x * z) / s, yz - (y * z) / s];
    const determinant = sxx * syy - sxy * sxy;
    if (!(determinant > 0)) return Number.NaN;
    a = (sxz * syy - syz * sxy) / determinant;
    b = (syz * sxx - sxz * sxy) / determinant;
    c = (z - a * x - b * y) / s;
    spread = Math.max(LEAST_SPREAD_M, lengths.toSorted()[count >> 1] ?? 0);
  }
  return Math.atan(Math.hypot(a, b));
}
