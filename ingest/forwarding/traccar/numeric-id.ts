import { createHash } from "node:crypto";

/** Bytes of a hash that make a number which every JSON reader keeps exactly (below 2^53). */
const BYTES = 6;

/**
 * Numbers that are remembered, at most: those of a fleet are asked for with every message. More take memory; fewer
 * work out the numbers of a large fleet again.
 */
const MOST_KNOWN = 20_000;
const known = new Map<string, number>();

/** As {@link numericId}, of a text that is asked for again and again. */
export function knownNumericId(text: string): number {
  const id = known.get(text) ?? numericId(text);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(text, id);
  return id;
}

/**
 * A number in the place of a text, always the same for the same text: 48 bits of its SHA-256. Two of
 * 100,000 assets share one with a probability of 2 in 100,000.
 */
export function numericId(text: string): number {
  // 0 means "not stored" to Traccar.
  return createHash("sha256").update(text).digest().readUIntBE(0, BYTES) || 1;
}
