/** Share of the labelled views whose nearest other one is nearer than the limit (docs/progress-method.md#fixed-cameras). */
const KNOWN_SHARE = 0.95;

/**
 * How far a view is from the nearest of the labelled ones, as a multiple of the 95th percentile of the
 * labelled ones' own distances to their nearest others: above 1 it is unlike all that was labelled.
 * All are scaled features; two labelled ones at least. Views that equal a labelled one are at 0, whatever
 * the percentile.
 */
export function noveltyOf(labelled: readonly Float64Array[], view: Float64Array): number {
  const nearest = nearestDistance(labelled, view);
  if (nearest === 0) return 0;
  const own = labelled
    .map((one, i) =>
      nearestDistance(
        labelled.filter((_, j) => j !== i),
        one,
      ),
    )
    .sort((a, b) => a - b);
  const limit = own[Math.ceil(KNOWN_SHARE * own.length) - 1] ?? 0;
  return limit === 0 ? Number.POSITIVE_INFINITY : nearest / limit;
}

/** Distance to the nearest of `others`; infinite where there is none. */
export function nearestDistance(others: readonly Float64Array[], one: Float64Array): number {
  let least = Number.POSITIVE_INFINITY;
  for (const other of others) {
    let squares = 0;
    for (let f = 0; f < one.length; f++) squares += ((one[f] ?? 0) - (other[f] ?? 0)) ** 2;
    least = Math.min(least, squares);
  }
  return Math.sqrt(least);
}
