/** What a check may use. */
export interface CheckContext {
  /** Prints a figure; each check says what it measured, whether it passes or not. */
  readonly print: (line: string) => void;
  /** Images of the sets that the check makes, where it leaves them open. */
  readonly images: number;
  /** Surveys that a check over many seeds makes. */
  readonly seeds: number;
  /** Of these the first, from 1, so that processes can share them; `undefined`: the check's own. */
  readonly firstSeed: number | undefined;
  /** Kinds of survey that a check over several is to make; `undefined`: all. */
  readonly kinds: readonly string[] | undefined;
  /** File that results of long checks are appended to, and read from so that nothing is done twice. */
  readonly results: string | undefined;
}

/** One expectation with the figure that decided it. */
export interface Expectation {
  readonly name: string;
  readonly passed: boolean;
}

/** One file of the suite: measures, prints, and says what held. */
export interface Check {
  /** Word for `--only`. */
  readonly name: string;
  /** One line: what it shows. */
  readonly about: string;
  /** Expectations in order, none at all counts as a failure; or why it could not be run here. */
  run(context: CheckContext): Promise<readonly Expectation[] | Skipped>;
}

/** A check that needs what is not there. */
export interface Skipped {
  readonly skipped: string;
}

/** An expectation that a figure lies within bounds, both named in its text. */
export function within(
  what: string,
  value: number,
  low: number,
  high: number,
  unit = "",
): Expectation {
  const figure = `${Number(value.toPrecision(4))}${unit && ` ${unit}`}`;
  const bounds = `${low} to ${high}${unit && ` ${unit}`}`;
  return { name: `${what}: ${figure} (${bounds})`, passed: value >= low && value <= high };
}

/** An expectation that something is so. */
export function holds(name: string, passed: boolean): Expectation {
  return { name, passed };
}
