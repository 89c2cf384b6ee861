/** Set by the project `long` in vitest.config.ts. */
const TAKES_ALL = process.env["TEST_ALL_CASES"] === "1";

/**
 * Of cases that take long and test one behaviour, such as seeds of its noise: the first in `npm test`, all of them
 * in `npm run test:long`. Files that use it are listed as `LONG` in vitest.config.ts.
 */
export function someOf<T>(cases: readonly T[]): readonly T[] {
  return TAKES_ALL ? cases : cases.slice(0, 1);
}

/** How many cases a trial makes, or finds at least: `all` in `npm run test:long`, `some` in `npm test`. */
export const countOf = ({ all, some }: { readonly all: number; readonly some: number }): number =>
  TAKES_ALL ? all : some;
