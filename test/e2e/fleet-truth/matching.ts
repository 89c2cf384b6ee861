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
 * span of an expectation is none of it.
 */
export function matchNearest<E extends Expected, R extends { readonly atMs: number }>(
  expected: readonly E[],
  recorded: readonly R[],
): readonly Match<E, R>[] {
  const candidates: Match<E, R>[] = [];
  for (const one of expected) {
    for (const record of recorded) {
      if (record.atMs < one.fromMs || record.atMs > one.toMs) continue;
      candidates.push({ expected: one, recorded: record, offMs: offOf(one, record.atMs) });
    }
  }
  candidates.sort((a, b) => Math.abs(a.offMs) - Math.abs(b.offMs));
  const taken = new Set<E | R>();
  return candidates.filter(({ expected: one, recorded: record }) => {
    if (taken.has(one) || taken.has(record)) return false;
    taken.add(one);
    taken.add(record);
    return true;
  });
}

/** Signed difference to the nearest of its times, ms. */
function offOf({ timesMs }: Expected, atMs: number): number {
  return timesMs.reduce((nearest, timeMs) => {
    const offMs = atMs - timeMs;
    return Math.abs(offMs) < Math.abs(nearest) ? offMs : nearest;
  }, Number.POSITIVE_INFINITY);
}
