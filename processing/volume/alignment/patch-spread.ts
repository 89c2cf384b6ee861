import { floorRank } from "../../numeric/quantile.ts";
/** How means over patches of ground scatter. */
export interface PatchSpread {
  /** 68th percentile of the means' absolute values, metres: one standard deviation. */
  readonly sigmaM: number;
  /**
   * How many times over the scatter of single values it takes to explain that of the means: 1 for values
   * that know nothing of each other, else the number that vary as one.
   */
  readonly correlated: number;
  /** Patches, of which at least half is ground that counts. */
  readonly patches: number;
}

/**
 * Share of a patch's cells that must count. More leaves out patches at edges, less counts patches of a few cells
 * as whole.
 */
const COVERED = 0.5;
/** Of the absolute values of a normal distribution. */
const ONE_SIGMA = 0.6827;

/**
 * Scatter of the mean height difference over square patches. Residuals of matched surfaces are correlated
 * over metres, so that a mean over an area is worth far less than its number of cells; what areas of that
 * size differ by is measured on areas of that size (Rolstad et al. 2009, J. Glaciology 55, 666-680, by
 * patches instead of by the variogram).
 * @param weights 0: does not count
 */
export function patchSpread(
  x: Float64Array,
  y: Float64Array,
  residuals: Float64Array,
  weights: Float64Array,
  patchM: number,
  cellAreaM2: number,
): PatchSpread {
  const sums = new Map<string, { count: number; sum: number }>();
  let squares = 0;
  let count = 0;
  for (let i = 0; i < x.length; i += 1) {
    if ((weights[i] ?? 0) === 0) continue;
    const r = residuals[i] ?? 0;
    squares += r * r;
    count += 1;
    const key = `${Math.floor((x[i] ?? 0) / patchM)},${Math.floor((y[i] ?? 0) / patchM)}`;
    const patch = sums.get(key) ?? { count: 0, sum: 0 };
    patch.count += 1;
    patch.sum += r;
    sums.set(key, patch);
  }
  const whole = (patchM * patchM) / cellAreaM2;
  const full = [...sums.values()].filter((patch) => patch.count >= COVERED * whole);
  const means = full.map(({ sum, count: n }) => Math.abs(sum / n)).sort((a, b) => a - b);
  const sigmaM = floorRank(means, ONE_SIGMA) ?? 0;
  const cells = full.reduce((sum, patch) => sum + patch.count, 0) / Math.max(1, full.length);
  const variance = squares / Math.max(1, count);
  const correlated = variance > 0 ? Math.max(1, (cells * sigmaM ** 2) / variance) : 1;
  return { sigmaM, correlated, patches: full.length };
}
