/** Something that happened at one of some times, and may be recorded with a time from `fromMs` to `toMs`. */
export interface Expected {
  readonly timesMs: readonly number[];
  readonly fromMs: number;
  readonly toMs: number;
}

/** One record, and what it is a record of. */
export interface Match<E extends Expected, R extends { readonly atMs: number }> {
  readonly expected: E;
  readonly recorded: R;
  /** Time of the record minus the nearest true time, ms. */
  readonly offMs: number;
}

/**
 * Pairs records with what they are records of, one to one, nearest in time first; a record outside the
 * span of an expectation is none of it. Those of an earlier rank choose first. Where the nearest record is
 * another's, the other takes one of its own that is farther off, if it has one: as many as possible get one.
 */
export function matchNearest<E extends Expected, R extends { readonly atMs: number }>(
  ranks: readonly (readonly E[])[],
  recorded: readonly R[],
): readonly Match<E, R>[] {
  const candidatesOf = new Map<E, readonly Match<E, R>[]>();
  const given = new Map<R, Match<E, R>>();
  /** Finds a record for `one`, moving others on; `asked`: the records that were tried. */
  const place = (one: E, asked: Set<R>): boolean => {
    for (const match of candidatesOf.get(one) ?? []) {
      if (asked.has(match.recorded)) continue;
      asked.add(match.recorded);
      const holder = given.get(match.recorded);
      if (holder !== undefined && !place(holder.expected, asked)) continue;
      given.set(match.recorded, match);
      return true;
    }
    return false;
  };
  for (const rank of ranks) {
    for (const one of rank) candidatesOf.set(one, candidates(one, recorded));
    const placed = new Set<E>();
    const nearestFirst = rank.flatMap((one) => candidatesOf.get(one) ?? []).sort(byDistance);
    for (const match of nearestFirst) {
      if (placed.has(match.expected) || given.has(match.recorded)) continue;
      placed.add(match.expected);
      given.set(match.recorded, match);
    }
    for (const one of rank) if (!placed.has(one)) place(one, new Set());
  }
  return [...given.values()].sort(byDistance);
}

/** The records that may be of an expectation, nearest first. */
function candidates<E extends Expected, R extends { readonly atMs: number }>(
  expected: E,
  recorded: readonly R[],
): readonly Match<E, R>[] {
  return recorded
    .filter(({ atMs }) => atMs >= expected.fromMs && atMs <= expected.toMs)
    .map((record) => ({ expected, recorded: record, offMs: offOf(expected, record.atMs) }))
    .sort(byDistance);
}

const byDistance = (a: { readonly offMs: number }, b: { readonly offMs: number }): number =>
  Math.abs(a.offMs) - Math.abs(b.offMs);

/** Signed difference to the nearest of its times, ms. */
function offOf({ timesMs }: Expected, atMs: number): number {
  return timesMs.reduce((nearest, timeMs) => {
    const offMs = atMs - timeMs;
    return Math.abs(offMs) < Math.abs(nearest) ? offMs : nearest;
  }, Number.POSITIVE_INFINITY);
}
