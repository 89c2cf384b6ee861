/**
 * The rising sequence nearest to `values` by weighted least squares: isotonic regression by pooling
 * adjacent violators (Barlow et al. 1972, Statistical Inference under Order Restrictions). Weights are above
 * 0; neighbours in one pool have the same value, the pool's weighted mean. Linear in time.
 */
export function isotonic(values: readonly number[], weights: readonly number[]): number[] {
  const pools: { mean: number; weight: number; count: number }[] = [];
  for (const [i, value] of values.entries()) {
    let pool = { mean: value, weight: weights[i] ?? 1, count: 1 };
    for (let before = pools.at(-1); before !== undefined; before = pools.at(-1)) {
      if (before.mean < pool.mean) break;
      pools.pop();
      const weight = before.weight + pool.weight;
      pool = {
        mean: (before.mean * before.weight + pool.mean * pool.weight) / weight,
        weight,
        count: before.count + pool.count,
      };
    }
    pools.push(pool);
  }
  return pools.flatMap(({ mean, count }) => new Array<number>(count).fill(mean));
}
