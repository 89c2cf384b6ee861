/*
 * Quantiles of rising values, told apart by the rank that they take: they differ where values are few.
 * `undefined` of none.
 */

/** Rank n share, rounded down, from 0: so many values lie below it; the last at most. */
export function floorRank(rising: ArrayLike<number>, share: number): number | undefined {
  return rising[Math.min(rising.length - 1, Math.floor(rising.length * share))];
}

/** The rank nearest to (n - 1) share, from 0: the first at 0, the last at 1. */
export function roundRank(rising: ArrayLike<number>, share: number): number | undefined {
  return rising[Math.round((rising.length - 1) * share)];
}
