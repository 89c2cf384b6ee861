/** Counts and prints one expectation, with the figure that decided it. */
export type Expect = (name: string, isSo: boolean, detail?: string) => void;

/** What a check may use. */
export interface CheckContext {
  readonly expect: Expect;
  /** Prints a figure, whether anything passes or not. */
  readonly print: (line: string) => void;
  /** Sites with a fixed camera. */
  readonly seeds: number;
  readonly firstSeed: number;
  /** Simulated projects that are flown over, one seed each from `firstProject` on. */
  readonly projects: number;
  readonly firstProject: number;
  /** Weekly flights over a simulated project. */
  readonly weeks: number;
  /** Images of one flight, where a check leaves it open. */
  readonly images: number;
  /** Folder where pictures are left for inspection; `undefined`: none are left. */
  readonly keep: string | undefined;
}

/** One file of the suite: measures, prints, and says what held. */
export interface Check {
  /** Word for `--only`. */
  readonly name: string;
  /** One line: what it shows. */
  readonly about: string;
  /** Resolves with why it could not be run here, where that is so. */
  run(context: CheckContext): Promise<{ readonly skipped: string } | undefined>;
}

export const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/** Mean of values; NaN of none. */
export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** The value that so much of them stay below, 0 to 1; NaN of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
