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
  return firstWhere(rising.length, (i) => (rising[i] ?? Number.POSITIVE_INFINITY) >= least);
}
