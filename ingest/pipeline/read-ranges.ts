import { DAY_MS } from "../../domain/time.ts";

/** Longest range that a re-run reads back at a time, ms: all of a usual one. Chosen: 346,000 rows at 1 Hz. */
const RANGE_MS = 4 * DAY_MS;
/** Most ranges. Chosen: what is kept by default, 90 days, in 24; whatever is older comes with the first. */
const MOST_RANGES = 24;

/** Half-open interval `[fromMs, toMs)`, ms since the Unix epoch. */
interface ReadRange {
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * Cuts the span of a re-run into what is read back from the telemetry store at a time, ascending. When
 * a device uploads weeks at once, not all of its readings need be in memory together.
 */
export function readRanges(fromMs: number, toMs: number): readonly ReadRange[] {
  const ranges: ReadRange[] = [];
  let endMs = toMs;
  while (endMs - fromMs > RANGE_MS && ranges.length < MOST_RANGES - 1) {
    ranges.push({ fromMs: endMs - RANGE_MS, toMs: endMs });
    endMs -= RANGE_MS;
  }
  ranges.push({ fromMs, toMs: endMs });
  return ranges.reverse();
}
