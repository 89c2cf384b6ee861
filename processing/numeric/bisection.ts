/** First whole number in `[0, end]` of which something that stays true is true; `end` if it never is. */
export function firstWhere(end: number, isTrue: (n: number) => boolean): number {
  let low = 0;
  let high = end;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isTrue(middle)) high = middle;
    else low = middle + 1;
  }
  return high;
}

/** Index of the first of rising values that is not less than `least`; their number if all are. */
export function lowerBound(rising: ArrayLike<number>, least: number): number {
  // A loop of its own, without a call for each step: schedules ask this for every task and day.
  let low = 0;
  let high = rising.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rising[middle] ?? Number.POSITIVE_INFINITY) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
