/** First and longest pause between two attempts to connect, ms. Chosen. */
const FIRST_MS = 200;
const LONGEST_MS = 8_000;

/**
 * How long to wait before the next attempt, ms: doubling, and anywhere in its upper half, so that the
 * sessions of a whole cluster do not come back in one instant. `failures`: attempts in a row that failed.
 */
export function backOffMs(failures: number, random: () => number): number {
  const ceiling = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.max(0, failures - 1));
  return ceiling * (0.5 + random() / 2);
}
