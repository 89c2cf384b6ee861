/**
 * Welch's t of two samples of unequal variance: the difference of their means in units of its standard error.
 * NaN for samples of fewer than two values, infinite for two constants that differ.
 */
export function welchT(a: readonly number[], b: readonly number[]): number {
  const [first, second] = [momentsOf(a), momentsOf(b)];
  const difference = first.mean - second.mean;
  const error = Math.sqrt(first.variance / a.length + second.variance / b.length);
  return difference === 0 && error === 0 ? 0 : difference / error;
}

/** Mean, and variance with n - 1. */
function momentsOf(values: readonly number[]): {
  readonly mean: number;
  readonly variance: number;
} {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, variance: squares / (values.length - 1) };
}

/**
 * Both samples without the slowest tenth of all: a collection of garbage or another program says nothing about
 * keys and hides what does. The bound is the same for both, so a real difference stays.
 */
export function withoutSlowest(
  a: readonly number[],
  b: readonly number[],
): readonly [readonly number[], readonly number[]] {
  const all = [...a, ...b].sort((x, y) => x - y);
  const bound = all[Math.floor(0.9 * (all.length - 1))] ?? 0;
  return [a.filter((value) => value <= bound), b.filter((value) => value <= bound)];
}
