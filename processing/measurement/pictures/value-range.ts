import { roundRank } from "../../numeric/quantile.ts";

/** Colours leave out this share of the highest: one bird must not flatten them. */
const OUTLIERS = 0.005;

/** The highest of the values with a share, but for a few; 0 where there are none. NaN = no data. */
export function highestOf(values: Float32Array, shares: Float32Array): number {
  const sorted = values.filter((value, i) => (shares[i] ?? 0) > 0 && !Number.isNaN(value)).sort();
  return roundRank(sorted, 1 - OUTLIERS) ?? 0;
}
