/**
 * The `ORDER BY` of a list, from its other end where `isReversed`: every term turns round, so that rows with one time
 * turn round, too, and pages of both orders have the same rows.
 */
export function orderBy(terms: string, isReversed = false): string {
  const turned = terms
    .split(", ")
    .map((term) => (term.endsWith(" DESC") ? term.slice(0, -" DESC".length) : `${term} DESC`));
  return `ORDER BY ${isReversed ? turned.join(", ") : terms}`;
}
