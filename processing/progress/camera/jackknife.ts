/** Fewest examples for a two-sided interval of 90 %: below, its ends are infinite. */
export const LEAST_FOR_INTERVAL = 9;

/**
 * The jackknife+ interval (Barber, Candès, Ramdas, Tibshirani 2021) for a new case: of the predictions
 * `without` one example each, less and plus what that example was missed by, the ends so deep in their order
 * that `share` of new cases lie between. Guaranteed is 2 `share` - 1; about `share` is usual. `undefined` where
 * the examples are too few for it.
 */
export function jackknifeInterval(
  without: readonly number[],
  residuals: readonly number[],
  share: number,
): readonly [low: number, high: number] | undefined {
  const count = without.length;
  const rising = (a: number, b: number): number => a - b;
  const lows = without.map((at, i) => at - Math.abs(residuals[i] ?? 0)).sort(rising);
  const highs = without.map((at, i) => at + Math.abs(residuals[i] ?? 0)).sort(rising);
  // 0.1 * 10 must be 1, whatever binary fractions make of it.
  const low = lows[Math.floor((1 - share) * (count + 1) + 1e-9) - 1];
  const high = highs[Math.ceil(share * (count + 1) - 1e-9) - 1];
  return low === undefined || high === undefined ? undefined : [low, high];
}
