import type { GroundCells } from "./ground-cells.ts";
import type { HeightThrough } from "./height-through.ts";
import { median } from "./robust-trend.ts";

/** Cells that a shift is judged by. Chosen: the median of so many is known to 3 %. */
const SAMPLE = 1_500;
/** Standard deviations of the prior that are searched. */
const REACH_SIGMAS = 2;
/** Steps of the search, metres: within the reach of a Gauss-Newton step over stones and vehicles. Chosen. */
const STEPS_M = [0.8, 0.25] as const;
/** A shift must lower the spread to this share of what it is without: noise alone lowers it by 3 %. Chosen. */
const GAIN = 0.9;

/**
 * Tries shifts in plan on a grid: where slopes change sign within metres, no step along them would find
 * the way. Judged by the median deviation, so that changed ground does not count.
 * @param heightAt the moving surface, levelled
 * @param planM one standard deviation of the shift beforehand, metres
 * @returns east, north; zeros where no shift does clearly better
 */
export function searchShift(
  cells: GroundCells,
  heightAt: HeightThrough,
  planM: number,
): readonly [number, number] {
  const stride = Math.max(1, Math.floor(cells.count / SAMPLE));
  const spread = (east: number, north: number): number => {
    const differences: number[] = [];
    let tried = 0;
    for (let i = 0; i < cells.count; i += stride) {
      const z = cells.z[i] ?? 0;
      const height = heightAt((cells.x[i] ?? 0) - east, (cells.y[i] ?? 0) - north, z);
      tried += 1;
      if (!Number.isNaN(height)) differences.push(z - height);
    }
    // A shift that leaves the surface is judged by what is left of it, down to half.
    if (2 * differences.length < tried) return Number.POSITIVE_INFINITY;
    const values = Float64Array.from(differences);
    const middle = median(values);
    return median(values.map((value) => Math.abs(value - middle)));
  };
  let best = [0, 0] as readonly [number, number];
  let least = GAIN * spread(0, 0);
  let reach = REACH_SIGMAS * planM;
  for (const step of STEPS_M) {
    const about = best;
    const count = Math.floor(reach / step);
    for (let i = -count; i <= count; i += 1) {
      for (let j = -count; j <= count; j += 1) {
        const [east, north] = [about[0] + i * step, about[1] + j * step];
        const found = spread(east, north);
        if (found >= least) continue;
        least = found;
        best = [east, north];
      }
    }
    if (best[0] === 0 && best[1] === 0) return best;
    reach = step;
  }
  return best;
}
