/** Predictions from the examples that are most alike. */
export interface Neighbours {
  /** What the others say of each example, in their order. */
  readonly looPredictions: readonly number[];
  /** The prediction for scaled features, and those without one example each. */
  predict(scaled: Float64Array): { readonly at: number; readonly without: readonly number[] };
}

/**
 * Means of the examples' targets by inverse distance (Shepard 1968): the weight of an example is its distance
 * to the power of -`power`. A high power takes the nearest example alone, a low one the mean of all. Features
 * are scaled; two examples at least.
 */
export function fitNeighbours(
  scaled: readonly Float64Array[],
  targets: readonly number[],
  power: number,
): Neighbours {
  const mean = (squares: readonly number[], left: number): number => {
    let nearest = Number.POSITIVE_INFINITY;
    for (const [i, square] of squares.entries()) {
      if (i !== left && square < nearest) nearest = square;
    }
    let [sum, weights] = [0, 0];
    for (const [i, square] of squares.entries()) {
      if (i === left) continue;
      // Of examples at no distance, all count alike and alone.
      const weight = square === nearest ? 1 : (nearest / square) ** (power / 2);
      sum += weight * (targets[i] ?? 0);
      weights += weight;
    }
    return sum / weights;
  };
  const distances = (one: Float64Array) => scaled.map((other) => squaredDistance(one, other));
  return {
    looPredictions: scaled.map((one, i) => mean(distances(one), i)),
    predict(given) {
      const squares = distances(given);
      return { at: mean(squares, -1), without: scaled.map((_, i) => mean(squares, i)) };
    },
  };
}

function squaredDistance(a: Float64Array, b: Float64Array): number {
  let squares = 0;
  for (let f = 0; f < a.length; f++) squares += ((a[f] ?? 0) - (b[f] ?? 0)) ** 2;
  return squares;
}
