import { compose, type Rotation, rotate, rotationFromVector } from "../../../geometry/rotation.ts";
import { upperMedian } from "../../../numeric/median.ts";
import type { BundleState } from "../../bundle/bundle-problem.ts";
import type { BundleSigmas } from "../../bundle/covariance.ts";
import type { AdjustmentSummary } from "../../reconstruction/reconstruction.ts";
import { looksDown, type SurveyBlock } from "../block/survey-block.ts";

/**
 * What gimbals of a flight are off by in common, rad: makers level them to some tenths of a degree, and
 * that does not average out over images.
 */
const GIMBAL_SIGMA_RAD = (0.5 * Math.PI) / 180;
/**
 * Slope that the ground of a site has, rad: yards and sites fall by 1 to 3 degrees, quarry floors by up to 5. A
 * smaller value would call a model level that lies on a slope, a larger one widens volumes above a level.
 */
const GROUND_SIGMA_RAD = (3 * Math.PI) / 180;
/** Rounds of reweighting of the ground's plane. Piles and roofs have lost their weight by then. */
const ROUNDS = 10;
/** Least spread of the ground about its plane that residuals are weighed by, metres. */
const LEAST_SPREAD_M = 0.1;

/** What a block is levelled by. */
export interface LevelSource {
  /** RTK or control points level it. */
  readonly isHeld: boolean;
  /** By which drift makes positions less sure than if their errors were independent. */
  readonly inflation: number;
  readonly isLevelledByGround: boolean;
}

/** How level the model is, as far as known, and how steep the ground in it is. */
export function tiltFigures(
  { points }: BundleState,
  sigmas: BundleSigmas | undefined,
  { isHeld, inflation, isLevelledByGround }: LevelSource,
): Pick<AdjustmentSummary, "tiltSigmaRad" | "groundTiltRad"> {
  const formal = sigmas?.tilt ?? Number.POSITIVE_INFINITY;
  const least = isLevelledByGround ? GROUND_SIGMA_RAD : GIMBAL_SIGMA_RAD;
  return {
    tiltSigmaRad: isHeld ? formal : Math.hypot(inflation * formal, least),
    groundTiltRad: slopeOfGround(points),
  };
}

/** Share of images that look down by the attitudes that the block began with. */
export function expectedNadirShare({ priors }: SurveyBlock): number {
  const known = priors.flatMap(({ rotation }) => rotation ?? []);
  return known.filter((rotation) => looksDown(rotation)).length / known.length;
}

/** Turns after which a plane that leaned by 60 degrees is level within 0.1 degrees. */
const LEVEL_TURNS = 4;

/** The rotation after which the plane of the mapped ground is level; `undefined`: fewer than three tie points. */
export function turnToLevel(points: Float64Array): Rotation | undefined {
  let turn: Rotation = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
  for (let i = 0; i < LEVEL_TURNS; i += 1) {
    const plane = groundPlane(rotated(points, turn));
    if (plane === undefined) return undefined;
    const [a, b] = plane;
    const slope = Math.hypot(a, b);
    if (slope === 0) return turn;
    const angle = Math.atan(slope) / slope;
    turn = compose(rotationFromVector([-angle * b, angle * a, 0]), turn);
  }
  return turn;
}

function rotated(points: Float64Array, turn: Rotation): Float64Array {
  const out = new Float64Array(points.length);
  for (let i = 0; i + 2 < points.length; i += 3) {
    out.set(rotate(turn, [points[i] ?? 0, points[i + 1] ?? 0, points[i + 2] ?? 0]), i);
  }
  return out;
}

function slopeOfGround(points: Float64Array): number {
  const plane = groundPlane(points);
  return plane === undefined ? Number.NaN : Math.atan(Math.hypot(...plane));
}

/** Rises to east and north of the plane that most tie points lie near: z = a x + b y + c, reweighted by Cauchy's loss. */
function groundPlane(points: Float64Array): readonly [a: number, b: number] | undefined {
  const count = points.length / 3;
  if (count < 3) return undefined;
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
    if (!(determinant > 0)) return undefined;
    a = (sxz * syy - syz * sxy) / determinant;
    b = (syz * sxx - sxz * sxy) / determinant;
    c = (z - a * x - b * y) / s;
    spread = Math.max(LEAST_SPREAD_M, upperMedian(lengths) ?? 0);
  }
  return [a, b];
}
