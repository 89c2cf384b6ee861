/** Values of one life of a process, each at its time. */
export interface Samples {
  /** Hours since the run began. */
  readonly timesH: readonly number[];
  readonly values: readonly number[];
}

/** The slope of a straight line through samples, in units of the value per hour. */
export interface Slope {
  readonly perHour: number;
  /** Standard error of `perHour`; `Infinity` where the samples do not determine it. */
  readonly standardError: number;
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * Least squares with one slope for all lives and a level of its own for each. A new process starts
 * lower or higher than the last one, which is not growth. The standard error is that of ordinary least
 * squares, so samples that depend on each other make it too small.
 */
export function commonSlope(lives: readonly Samples[]): Slope {
  const centred = lives
    .filter(({ values }) => values.length > 1)
    .map(({ timesH, values }) => {
      const [middleH, level] = [mean(timesH), mean(values)];
      return timesH.map((timeH, i) => ({ x: timeH - middleH, y: (values[i] ?? level) - level }));
    });
  const points = centred.flat();
  const spread = points.reduce((sum, { x }) => sum + x * x, 0);
  if (spread === 0) return { perHour: 0, standardError: Number.POSITIVE_INFINITY };
  const perHour = points.reduce((sum, { x, y }) => sum + x * y, 0) / spread;
  const degrees = points.length - centred.length - 1;
  const residue = points.reduce((sum, { x, y }) => sum + (y - perHour * x) ** 2, 0);
  const standardError =
    degrees > 0 ? Math.sqrt(residue / degrees / spread) : Number.POSITIVE_INFINITY;
  return { perHour, standardError };
}

/** What a limit on a slope comes to. */
export type LimitOutcome = "passed" | "failed" | "open";

/**
 * Whether a slope is below a limit. Open: the standard error is more than half of the limit, and the
 * slope is not above it by more than two of them.
 */
export function checkSlope({ perHour, standardError }: Slope, limit: number): LimitOutcome {
  if (standardError <= limit / 2) return perHour < limit ? "passed" : "failed";
  return perHour - 2 * standardError > limit ? "failed" : "open";
}
