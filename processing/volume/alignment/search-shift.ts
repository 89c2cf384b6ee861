import { upperMedian } from "../../numeric/median.ts";
import type { GroundCells } from "./ground-cells.ts";
import type { HeightThrough } from "./height-through.ts";

/** Cells that a shift is evaluated on. The median of so many is known to 4 %; they cost time by number. */
const SAMPLE = 800;
/** Standard deviations of the prior that are searched. */
const REACH_SIGMAS = 2;
/**
 * Steps of the search, metres, down to where a Gauss-Newton step converges over stones. Coarser steps jump over
 * the valley of a stone heap, finer ones only take longer.
 */
const STEPS_M = [0.8, 0.25, 0.1] as const;
/**
 * A shift must lower the spread to this share of what it is without: noise alone lowers it by 8 %. Higher shifts
 * by noise, lower leaves small shifts that are real.
 */
const GAIN = 0.85;

/** How far the moving surface lies off in plan. */
export interface PlanOffset {
  readonly eastM: number;
  readonly northM: number;
  /** About the vertical through the pivot, rad. */
  readonly turnRad: number;
}

const NONE: PlanOffset = { eastM: 0, northM: 0, turnRad: 0 };

/**
 * Tries shifts and turns in plan, from coarse to fine: where slopes change sign within metres, no step along
 * them would converge. Evaluated by the median deviation, so that changed ground does not count.
 * @param heightAt the moving surface, levelled
 * @param sigma one standard deviation of shift (by axis) and turn beforehand
 * @returns zeros where nothing does clearly better
 */
export function searchShift(
  cells: GroundCells,
  heightAt: HeightThrough,
  [pivotX, pivotY]: readonly [number, number, ...unknown[]],
  sigma: { readonly planM: number; readonly turnRad: number },
): PlanOffset {
  const stride = Math.max(1, Math.floor(cells.count / SAMPLE));
  const spread = ({ eastM, northM, turnRad }: PlanOffset): number => {
    const differences: number[] = [];
    const [cosine, sine] = [Math.cos(turnRad), Math.sin(turnRad)];
    let tried = 0;
    for (let i = 0; i < cells.count; i += stride) {
      const z = cells.z[i] ?? 0;
      const x = (cells.x[i] ?? 0) - eastM - pivotX;
      const y = (cells.y[i] ?? 0) - northM - pivotY;
      const height = heightAt(pivotX + cosine * x + sine * y, pivotY - sine * x + cosine * y, z);
      tried += 1;
      if (!Number.isNaN(height)) differences.push(z - height);
    }
    // A shift that leaves the surface is evaluated on the rest, down to half.
    if (2 * differences.length < tried) return Number.POSITIVE_INFINITY;
    const values = Float64Array.from(differences);
    const middle = upperMedian(values) ?? 0;
    return upperMedian(values.map((value) => Math.abs(value - middle))) ?? 0;
  };
  const arm = usualDistance(cells, pivotX, pivotY);
  let best = NONE;
  let least = GAIN * spread(NONE);
  let reachM = REACH_SIGMAS * sigma.planM;
  let reachRad = REACH_SIGMAS * sigma.turnRad;
  for (const stepM of STEPS_M) {
    const about = best;
    // A turn moves the usual cell as far as a step does.
    const stepRad = stepM / arm;
    for (const turn of steps(reachRad, stepRad)) {
      for (const east of steps(reachM, stepM)) {
        for (const north of steps(reachM, stepM)) {
          const offset = {
            eastM: about.eastM + east,
            northM: about.northM + north,
            turnRad: about.turnRad + turn,
          };
          const found = spread(offset);
          if (found >= least) continue;
          least = found;
          best = offset;
        }
      }
    }
    reachM = Math.min(reachM, stepM);
    reachRad = Math.min(reachRad, stepRad);
  }
  return best;
}

function steps(reach: number, step: number): readonly number[] {
  const count = Math.floor(reach / step);
  return Array.from({ length: 2 * count + 1 }, (_, i) => (i - count) * step);
}

/** Root mean square distance of the cells from the pivot, metres. */
function usualDistance({ count, x, y }: GroundCells, pivotX: number, pivotY: number): number {
  let sum = 0;
  for (let i = 0; i < count; i += 1) {
    sum += ((x[i] ?? 0) - pivotX) ** 2 + ((y[i] ?? 0) - pivotY) ** 2;
  }
  return Math.max(1, Math.sqrt(sum / Math.max(1, count)));
}
