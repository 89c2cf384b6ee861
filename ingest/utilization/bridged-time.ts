import type { LocalDay } from "../../domain/local-time.ts";
import { localDayAt, overlapMs, type WorkCalendar } from "../../domain/local-time.ts";
import { type AssetTrack, type OpenDay, openDayOf } from "../track/asset-track.ts";
import type { Coverage } from "../track/day-usage.ts";

/** Where a figure of some time comes from before a meter has been read. */
export type Kind = "seen" | "bridged" | "unknown";

/** The part of an interval that lies in one local day. */
export interface DayPart {
  readonly dayStartMs: number;
  /** `undefined`: no figures of that day are kept here. */
  readonly day: OpenDay | undefined;
  readonly ms: number;
  /** Of it inside the shift. */
  readonly shiftMs: number;
}

/** Cuts `[fromMs, toMs)` at local midnights and marks the days as changed. */
export function dayParts(
  track: AssetTrack,
  calendar: WorkCalendar,
  fromMs: number,
  toMs: number,
): readonly DayPart[] {
  const parts: DayPart[] = [];
  for (let startMs = fromMs; startMs < toMs; ) {
    const local = localDayAt(calendar, startMs);
    const endMs = Math.min(toMs, local.endMs);
    parts.push(partOf(track, local, startMs, endMs));
    startMs = endMs;
  }
  return parts;
}

function partOf(track: AssetTrack, local: LocalDay, startMs: number, endMs: number): DayPart {
  const day = openDayOf(track, local.day, startMs);
  if (day !== undefined) track.changedDays.add(day.day);
  return {
    // The start of an open day as it was opened: the calendar may have changed since.
    dayStartMs: day?.startMs ?? local.startMs,
    day,
    ms: endMs - startMs,
    shiftMs: overlapMs(local.shift, startMs, endMs),
  };
}

/** A figure of an interval, in whole units. */
interface Bounded {
  readonly estimate: number;
  readonly lower: number;
  readonly upper: number;
}

/**
 * The share of `partMs` in a figure of `wholeMs`: the estimate in proportion, the bounds given that one
 * ms holds at most `perMs` units.
 */
export function shareOf(figure: Bounded, partMs: number, wholeMs: number, perMs: number): Bounded {
  if (partMs === wholeMs) return figure;
  const rest = Math.ceil((wholeMs - partMs) * perMs);
  return {
    estimate: Math.round((figure.estimate * partMs) / wholeMs),
    lower: Math.max(0, figure.lower - rest),
    upper: Math.min(figure.upper, Math.ceil(partMs * perMs)),
  };
}

/** Adds time to what a day knows of a figure. */
export function cover(coverage: Coverage, kind: Kind, ms: number): void {
  if (kind === "seen") coverage.seenMs += ms;
  else if (kind === "bridged") coverage.bridgedMs += ms;
  else coverage.unknownMs += ms;
}

/** Adds to what a figure lies between. */
export function addBounds(
  to: { lower: number; upper: number },
  { lower, upper }: { readonly lower: number; readonly upper: number },
): void {
  to.lower += lower;
  to.upper += upper;
}
