import { tryCholeskySolve } from "../../../numeric/cholesky-solve.ts";
import { upperMedian } from "../../../numeric/median.ts";

/** A camera from above: where the adjustment has it, where its tags have it, and when it was taken. */
export interface PlanCamera {
  /** Adjusted, ENU metres. */
  readonly x: number;
  readonly y: number;
  /** By the tags, ENU metres. */
  readonly eastM: number;
  readonly northM: number;
  /** Place in the flight, 0 = first image, 1 = last. */
  readonly time: number;
}

/** How positions by tags follow from adjusted ones: a similarity of the plane, and a drift over the flight. */
export interface PlanFit {
  /** Tagged from adjusted: scale times cosine and sine of the turn, counter-clockwise. */
  readonly cosine: number;
  readonly sine: number;
  /** What the similarity takes the origin to, in the middle of the flight, metres. */
  readonly offsetM: readonly [east: number, north: number];
  /** Change of the tags' error from the first image to the last, metres. */
  readonly driftM: readonly [east: number, north: number];
  /** One standard deviation of each, metres; Infinity: the flight's shape cannot separate it from scale and turn. */
  readonly driftSigmaM: readonly [east: number, north: number];
}

const UNKNOWNS = 6;
/** Drift of east and of north among the unknowns. */
const DRIFTS = [4, 5] as const;
/** Rounds of reweighting; false positions have lost their weight by then. */
const ROUNDS = 12;
/** Least scatter that residuals are weighed by, metres: a lower one lets noise choose among RTK-like tags. */
const LEAST_SCATTER_M = 0.3;
/** Errors of receivers that follow each other make a drift that much less sure (docs/photogrammetry.md#simulated-flights). */
const MEMORY_INFLATION = 2;
/** A drift with this share of its variance or less separable from scale and turn is not determined at all. */
const LEAST_OWN_SHARE = 0.02;

/**
 * Fits positions by tags to adjusted ones, with weights by Cauchy's loss. The similarity takes part because an
 * adjustment follows its positions: a drift along the block's progress hides in its scale.
 * @returns `undefined` for too few cameras, or where they lie on a line
 */
export function fitPlan(
  cameras: readonly PlanCamera[],
  { hasDrift }: { readonly hasDrift: boolean },
): PlanFit | undefined {
  if (2 * cameras.length <= UNKNOWNS) return undefined;
  const count = cameras.length;
  const mean = (of: (camera: PlanCamera) => number) =>
    cameras.reduce((sum, camera) => sum + of(camera) / count, 0);
  const [x0, y0] = [mean(({ x }) => x), mean(({ y }) => y)];
  const spread = Math.sqrt(mean(({ x, y }) => (x - x0) ** 2 + (y - y0) ** 2));
  if (!(spread > 0)) return undefined;
  const size = hasDrift ? UNKNOWNS : UNKNOWNS - DRIFTS.length;
  // Coordinates of order 1, so that the normal matrix shows what is dependent.
  const rowsOf = ({ x, y, time }: PlanCamera) => {
    const [u, v, t] = [(x - x0) / spread, (y - y0) / spread, time - 0.5];
    return [
      [u, -v, 1, 0, t, 0],
      [v, u, 0, 1, 0, t],
    ] as const;
  };
  let solution: Float64Array = new Float64Array(UNKNOWNS);
  let normal = new Float64Array(size * size);
  let [squares, weights] = [0, 0];
  let scatterM = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round += 1) {
    normal = new Float64Array(size * size);
    const right = new Float64Array(size);
    const lengths: number[] = [];
    [squares, weights] = [0, 0];
    for (const camera of cameras) {
      const rows = rowsOf(camera);
      const [east, north] = rows.map((row) => dot(row, solution));
      const off = Math.hypot(camera.eastM - (east ?? 0), camera.northM - (north ?? 0));
      const weight = 1 / (1 + (off / scatterM) ** 2);
      lengths.push(off);
      squares += weight * off * off;
      weights += weight;
      for (const [k, row] of rows.entries()) {
        const value = k === 0 ? camera.eastM : camera.northM;
        for (let i = 0; i < size; i += 1) {
          right[i] = (right[i] ?? 0) + weight * (row[i] ?? 0) * value;
          for (let j = 0; j < size; j += 1) {
            const at = i * size + j;
            normal[at] = (normal[at] ?? 0) + weight * (row[i] ?? 0) * (row[j] ?? 0);
          }
        }
      }
    }
    const found = tryCholeskySolve(normal.slice(), right);
    if (found === undefined) return hasDrift ? fitPlan(cameras, { hasDrift: false }) : undefined;
    solution = found;
    // The first round weighs all alike and leaves no scatter of its own.
    if (round > 0) scatterM = 2 * Math.max(LEAST_SCATTER_M, upperMedian(lengths) ?? 0);
  }
  const variance = squares / Math.max(1, 2 * weights - size);
  const [a = 1, b = 0, east = 0, north = 0, driftEast = 0, driftNorth = 0] = solution;
  const [cosine, sine] = [a / spread, b / spread];
  return {
    cosine,
    sine,
    offsetM: [east - cosine * x0 + sine * y0, north - sine * x0 - cosine * y0],
    driftM: [driftEast, driftNorth],
    driftSigmaM: [driftSigma(0), driftSigma(1)],
  };

  function driftSigma(axis: 0 | 1): number {
    const k = DRIFTS[axis];
    const unit = Float64Array.from({ length: size }, (_, i) => (i === k ? 1 : 0));
    const column = k < size ? tryCholeskySolve(normal.slice(), unit) : undefined;
    const own = column?.[k] ?? Number.POSITIVE_INFINITY;
    if (1 / own <= LEAST_OWN_SHARE * (normal[k * size + k] ?? 0)) return Number.POSITIVE_INFINITY;
    return MEMORY_INFLATION * Math.sqrt(variance * own);
  }
}

function dot(row: readonly number[], solution: Float64Array): number {
  return row.reduce((sum, value, i) => sum + value * (solution[i] ?? 0), 0);
}
