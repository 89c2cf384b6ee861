/**
 * Historical readings of an asset that are newer than every live one. They are in the telemetry store, but
 * the fold must not come to them before a live reading has: its front is what is shown as of now. Two
 * instants are enough, however long the device reports its past: a re-run reads the rest back.
 */
export interface Ahead {
  /** None is older, fix time in ms since the Unix epoch. */
  readonly fromMs: number;
  /** The newest. */
  readonly toMs: number;
}

/** With one more of them. */
export function withAhead(before: Ahead | undefined, fixTimeMs: number): Ahead {
  if (before === undefined) return { fromMs: fixTimeMs, toMs: fixTimeMs };
  return { fromMs: Math.min(before.fromMs, fixTimeMs), toMs: Math.max(before.toMs, fixTimeMs) };
}

/** Those that are still ahead once the newest live reading is at `frontMs`; times are whole ms. */
export function aheadOf({ fromMs, toMs }: Ahead, frontMs: number): Ahead | undefined {
  return frontMs >= toMs ? undefined : { fromMs: Math.max(fromMs, frontMs + 1), toMs };
}
