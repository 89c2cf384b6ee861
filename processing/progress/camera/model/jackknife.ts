/** Fewest examples for a two-sided interval: below, nothing is known of the tails. */
export const LEAST_FOR_INTERVAL = 9;

/**
 * The jackknife+ interval (Barber, Candès, Ramdas, Tibshirani 2021) for a new case: of the predictions
 * `without` one example each, less and plus what that example was missed by, the ends so deep in their order
 * that `share` of new cases lie between. Guaranteed is 2 `share` - 1; about `share` is usual. Where the examples
 * are too few for that rank, the outermost ends with misses stretched by `stretch`; `undefined` below
 * `LEAST_FOR_INTERVAL`.
 */
export function jackknifeInterval(
  without: readonly number[],
  residuals: readonly number[],
  share: number,
): readonly [low: number, high: number] | undefined {
  const count = without.length;
  if (count < LEAST_FOR_INTERVAL) return undefined;
  const longer = stretch(count, share);
  const rising = (a: number, b: number): number => a - b;
  const lows = without.map((at, i) => at - longer * Math.abs(residuals[i] ?? 0)).sort(rising);
  const highs = without.map((at, i) => at + longer * Math.abs(residuals[i] ?? 0)).sort(rising);
  // 0.1 * 10 must be 1, despite binary fractions.
  const low = lows[Math.max(0, Math.floor((1 - share) * (count + 1) + 1e-9) - 1)];
  const high = highs[Math.min(count, Math.ceil(share * (count + 1) - 1e-9)) - 1];
  return low === undefined || high === undefined ? undefined : [low, high];
}

/**
 * What a new absolute error stays below in `share` of cases, by errors of the past; `undefined` below
 * `LEAST_FOR_INTERVAL`. It is stretched as for so many errors as are `independent`.
 */
export function errorQuantile(
  errors: readonly number[],
  share: number,
  independent: number = errors.length,
): number | undefined {
  const count = errors.length;
  if (count < LEAST_FOR_INTERVAL) return undefined;
  const rising = errors.toSorted((a, b) => a - b);
  const rank = Math.min(count, Math.ceil(share * (count + 1) - 1e-9));
  return stretch(independent, share) * (rising[rank - 1] ?? Number.POSITIVE_INFINITY);
}

/**
 * The largest of n errors is exceeded by one of n + 1 new ones: 9 errors bound 90 %, 19 bound 95 %. For fewer
 * than `share` needs, how much farther that share of a normal distribution reaches; 1 from there on.
 */
function stretch(count: number, share: number): number {
  const bounded = count / (count + 1);
  return bounded >= share ? 1 : twoSidedSigmas(share) / twoSidedSigmas(bounded);
}

/** Standard deviations that hold a share of a normal distribution (Abramowitz and Stegun 26.2.23, to 0.0005). */
function twoSidedSigmas(share: number): number {
  const t = Math.sqrt(-2 * Math.log((1 - share) / 2));
  const above = 2.515517 + 0.802853 * t + 0.010328 * t * t;
  const below = 1 + 1.432788 * t + 0.189269 * t * t + 0.001308 * t * t * t;
  return t - above / below;
}
