import { IANAZone } from "luxon";
import { HOUR_MS, MINUTE_MS } from "../../../domain/time.ts";

/** Clocks are put back by 3 h at most since 1970 (Antarctica/Casey). IANA time zone database. */
const LOOK_BACK_MS = 4 * HOUR_MS;

/** Between instants and the wall clock of a project. Both never run backwards. */
export interface WallClock {
  /**
   * Wall-clock minutes since 1970-01-01T00:00 at an instant (ms since the Unix epoch), with fractions. In the
   * hour that occurs twice when clocks are put back, it stays at the end of that hour.
   */
  wallMinAt(atMs: number): number;
  /** First instant at which the wall clock shows this or more: of a time that is skipped, the change. */
  instantOf(wallMin: number): number;
}

export function createWallClock(timeZone: string): WallClock {
  const zone = IANAZone.create(timeZone);
  const localMs = (atMs: number) => atMs + zone.offset(atMs) * MINUTE_MS;

  /** The first instant in `(fromMs, toMs]` with another offset than at `fromMs`; there is one. */
  function changeBetween(fromMs: number, toMs: number): number {
    const before = zone.offset(fromMs);
    let low = fromMs;
    let high = toMs;
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (zone.offset(middle) === before) low = middle;
      else high = middle;
    }
    return high;
  }

  function wallMsAt(atMs: number): number {
    const earlierMs = atMs - LOOK_BACK_MS;
    const putBackMs = (zone.offset(earlierMs) - zone.offset(atMs)) * MINUTE_MS;
    if (putBackMs <= 0) return localMs(atMs);
    const changeMs = changeBetween(earlierMs, atMs);
    // What the clock showed when it was put back.
    return Math.max(localMs(atMs), changeMs + zone.offset(earlierMs) * MINUTE_MS);
  }

  return {
    wallMinAt: (atMs) => wallMsAt(atMs) / MINUTE_MS,

    instantOf(wallMin) {
      const wallMs = wallMin * MINUTE_MS;
      // Offsets lie between -12 h and +14 h.
      const fromMs = wallMs - 14 * HOUR_MS;
      const toMs = wallMs + 12 * HOUR_MS;
      const candidates = [zone.offset(fromMs), zone.offset(toMs)].map(
        (offset) => wallMs - offset * MINUTE_MS,
      );
      const shown = candidates.filter((atMs) => localMs(atMs) === wallMs);
      if (shown.length > 0) return Math.min(...shown);
      return changeBetween(fromMs, toMs);
    },
  };
}
