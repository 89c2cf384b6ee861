import type { Hole } from "../ports/journal.ts";

/** Sequences as messages name them: `3 to 7, 9 to 9`. */
export const textOfHoles = (holes: readonly Hole[]): string =>
  holes.map(({ fromSequence, toSequence }) => `${fromSequence} to ${toSequence}`).join(", ");

/** Those of noted holes that lie before all of the journal: a check of its segments does not miss them. */
export function holesBefore(
  holes: readonly Hole[],
  { oldest }: { readonly oldest: number },
): readonly Hole[] {
  const end = oldest > 0 ? oldest - 1 : Number.POSITIVE_INFINITY;
  return holes
    .filter(({ fromSequence }) => fromSequence <= end)
    .map(({ fromSequence, toSequence }) => ({
      fromSequence,
      toSequence: Math.min(toSequence, end),
    }));
}
