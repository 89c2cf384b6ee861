/** A stretch of time of one subject: a stay in a fence, a value beyond its limit. */
export interface Span {
  /** Only spans of one subject are paired. */
  readonly subject: string;
  /** ms since the Unix epoch. */
  readonly fromMs: number;
  /** `Infinity`: not over. */
  readonly toMs: number;
}

/** A found span and a known one of its subject that share an instant. */
interface Candidate<Known> {
  /** Place of the found span. */
  readonly index: number;
  readonly known: Known;
  readonly overlapMs: number;
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
  const candidates = candidatesOf(known, found);
  // Two spans without an end overlap for ever: their difference is not a number.
  candidates.sort((a, b) =>
    a.overlapMs === b.overlapMs ? a.known.fromMs - b.known.fromMs : b.overlapMs - a.overlapMs,
  );
  const pairs: (Known | undefined)[] = found.map(() => undefined);
  const taken = new Set<Known>();
  for (const { index, known: one } of candidates) {
    if (pairs[index] !== undefined || taken.has(one)) continue;
    pairs[index] = one;
    taken.add(one);
  }
  return pairs;
}

/** Walks both lists at once: a gate may be passed some thousand times in 72 h. */
function candidatesOf<Known extends Span>(
  known: readonly Known[],
  found: readonly Span[],
): Candidate<Known>[] {
  const knownBySubject = new Map<string, { readonly spans: Known[]; at: number }>();
  for (const span of known.toSorted(byBeginning)) {
    const group = knownBySubject.get(span.subject);
    if (group === undefined) knownBySubject.set(span.subject, { spans: [span], at: 0 });
    else group.spans.push(span);
  }
  const candidates: Candidate<Known>[] = [];
  const inOrder = found.map((one, index) => ({ one, index }));
  for (const { one, index } of inOrder.sort((a, b) => byBeginning(a.one, b.one))) {
    const group = knownBySubject.get(one.subject);
    if (group === undefined) continue;
    while ((group.spans[group.at]?.toMs ?? Number.POSITIVE_INFINITY) < one.fromMs) group.at += 1;
    for (let i = group.at; ; i++) {
      const other = group.spans[i];
      if (other === undefined || other.fromMs > one.toMs) break;
      const sharedMs = overlapMs(one, other);
      if (sharedMs >= 0) candidates.push({ index, known: other, overlapMs: sharedMs });
    }
  }
  return candidates;
}

const byBeginning = (a: Span, b: Span): number => a.fromMs - b.fromMs;

/** Shared time of two spans, ms; 0 when they touch in one instant, negative when they share none. */
const overlapMs = (a: Span, b: Span): number =>
  Math.min(a.toMs, b.toMs) - Math.max(a.fromMs, b.fromMs);
