/**
 * The value at which half of the weight lies below, half above; of two at the middle their mean.
 * One value at least, weights above 0.
 */
export function weightedMedian(values: readonly number[], weights: readonly number[]): number {
  const order = values.map((_, i) => i).sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0));
  const half = weights.reduce((sum, weight) => sum + weight, 0) / 2;
  let below = 0;
  for (const [rank, i] of order.entries()) {
    below += weights[i] ?? 0;
    if (below < half) continue;
    const value = values[i] ?? 0;
    const next = values[order[rank + 1] ?? i] ?? value;
    return below === half ? (value + next) / 2 : value;
  }
  return values[order.at(-1) ?? 0] ?? 0;
}
