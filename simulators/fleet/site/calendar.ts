import { DateTime } from "luxon";
import type { Shift } from "../../../domain/project.ts";

/** A stretch of time `[fromMs, toMs)`, ms since the Unix epoch. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** One local calendar day of a project. */
interface LocalDay extends Span {
  /** YYYY-MM-DD. */
  readonly day: string;
  /** The parts of the shift on this calendar day; a night shift has two. */
  readonly shift: readonly Span[];
}

/** Local days and shifts of one time zone. */
export interface Calendar {
  dayAt(timeMs: number): LocalDay;
  isInShift(timeMs: number): boolean;
  /** Seconds since local midnight by the wall clock, 0 to 90,000 (25 h on the longest day). */
  secondOfDay(timeMs: number): number;
}

/** Creates the calendar of an IANA zone and a daily shift. */
export function createCalendar(timeZone: string, shift: Shift): Calendar {
  // Times are mostly of one day; runs go forward, so one remembered day is enough.
  let current = localDay(timeZone, shift, 0);
  function dayAt(timeMs: number): LocalDay {
    if (timeMs < current.fromMs || timeMs >= current.toMs) {
      current = localDay(timeZone, shift, timeMs);
    }
    return current;
  }
  return {
    dayAt,
    isInShift: (timeMs) => dayAt(timeMs).shift.some((part) => overlapMs(part, timeMs, timeMs + 1)),
    secondOfDay: (timeMs) => (timeMs - dayAt(timeMs).fromMs) / 1_000,
  };
}

/** Length of what a span shares with `[fromMs, toMs)`, ms. */
export function overlapMs(span: Span, fromMs: number, toMs: number): number {
  return Math.max(0, Math.min(span.toMs, toMs) - Math.max(span.fromMs, fromMs));
}

function localDay(timeZone: string, shift: Shift, timeMs: number): LocalDay {
  const midnight = DateTime.fromMillis(timeMs, { zone: timeZone }).startOf("day");
  const today: Span = { fromMs: midnight.toMillis(), toMs: midnight.plus({ days: 1 }).toMillis() };
  const parts = [shiftOf(midnight.minus({ days: 1 }), shift), shiftOf(midnight, shift)];
  return {
    day: midnight.toFormat("yyyy-MM-dd"),
    ...today,
    shift: parts
      .map((part) => ({
        fromMs: Math.max(part.fromMs, today.fromMs),
        toMs: Math.min(part.toMs, today.toMs),
      }))
      .filter((part) => part.toMs > part.fromMs),
  };
}

/** The shift that starts on the day of `midnight`; an end at or before the start is on the next day. */
function shiftOf(midnight: DateTime, shift: Shift): Span {
  const start = timeOfDay(midnight, shift.start);
  const sameDay = timeOfDay(midnight, shift.end);
  const end =
    sameDay.toMillis() > start.toMillis()
      ? sameDay
      : timeOfDay(midnight.plus({ days: 1 }), shift.end);
  return { fromMs: start.toMillis(), toMs: end.toMillis() };
}

function timeOfDay(midnight: DateTime, text: string): DateTime {
  if (text === "24:00") return midnight.plus({ days: 1 });
  const [hour, minute] = text.split(":").map(Number);
  return midnight.set({ hour: hour ?? 0, minute: minute ?? 0 });
}
