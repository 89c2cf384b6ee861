/** Shortest and longest wait between two tries, ms. */
export interface BackOff {
  readonly firstMs: number;
  readonly longestMs: number;
}

/**
 * How long to wait before the next try, ms: doubling, and anywhere in its upper half, so that what failed
 * together does not come back in one instant. `failures`: tries in a row that failed; `random` is uniform
 * in [0, 1).
 */
export function backOffMs(
  failures: number,
  { firstMs, longestMs }: BackOff,
  random: () => number,
): number {
  const ceiling = Math.min(longestMs, firstMs * 2 ** Math.max(0, failures - 1));
  return ceiling * (0.5 + random() / 2);
}
