/** A stretch of time of one subject: a stay in a fence, a value beyond its limit. */
export interface Span {
  /** Only spans of one subject are paired. */
  readonly subject: string;
  /** ms since the Unix epoch. */
  readonly fromMs: number;
  /** `Infinity`: not over. */
  readonly toMs: number;
}

/**
 * Finds which of the `found` spans is which of the `known` ones after readings were folded again: of
 * one subject, pairs of greatest overlap first, of equal ones the earlier. Spans that share no instant
 * are not paired. Yields for every found span the known one, or `undefined`.
 */
export function pairByOverlap<Known extends Span, Found extends Span>(
  known: readonly Known[],
  found: readonly Found[],
): readonly (Known | undefined)[] {
  const knownBySubject = new Map<string, Known[]>();
  for (const span of known) {
    const group = knownBySubject.get(span.subject);
    if (group === undefined) knownBySubject.set(span.subject, [span]);
    else group.push(span);
  }
  const candidates = found.flatMap((one, index) =>
    (knownBySubject.get(one.subject) ?? [])
      .map((other) => ({ index, other, overlapMs: overlapMs(one, other), fromMs: other.fromMs }))
      .filter((pair) => pair.overlapMs >= 0),
  );
  // Two spans without an end overlap for ever: their difference is not a number.
  candidates.sort((a, b) =>
    a.overlapMs === b.overlapMs ? a.fromMs - b.fromMs : b.overlapMs - a.overlapMs,
  );
  const pairs: (Known | undefined)[] = found.map(() => undefined);
  const taken = new Set<Known>();
  for (const { index, other } of candidates) {
    if (pairs[index] !== undefined || taken.has(other)) continue;
    pairs[index] = other;
    taken.add(other);
  }
  return pairs;
}

/** Shared time of two spans, ms; 0 when they touch in one instant, negative when they share none. */
const overlapMs = (a: Span, b: Span): number =>
  Math.min(a.toMs, b.toMs) - Math.max(a.fromMs, b.fromMs);
