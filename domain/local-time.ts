import { DateTime, IANAZone } from "luxon";
import type { Shift } from "./project.ts";

/** A half-open interval `[startMs, endMs)`, ms since the Unix epoch. */
export interface IntervalMs {
  readonly startMs: number;
  readonly endMs: number;
}

/** One calendar day of a project: 23 to 25 hours long where clocks change. */
export interface LocalDay extends IntervalMs {
  /** Local calendar date, YYYY-MM-DD. */
  readonly day: string;
  /** The parts of this day that lie in the shift, ascending; two for a night shift. */
  readonly shift: readonly IntervalMs[];
}

/** The part of a project that decides its calendar. */
export interface WorkCalendar {
  readonly time_zone: string;
  readonly shift: Shift;
}

export const isTimeZone = (text: string): boolean => IANAZone.isValidZone(text);

/**
 * Days kept in memory for all calendars together; a day is a few hundred bytes. Fewer are computed again and
 * again for late readings.
 */
const CACHED_DAYS = 10_000;
const cachedDays = new Map<string, LocalDay>();
/** The last answer for each calendar: the day of one call is nearly always that of the next. */
const lastDays = new Map<string, LocalDay>();
/** The same by the object: a reading asks six times, and the text of its calendar takes 0.2 us to make and find. */
const lastDayOf = new WeakMap<WorkCalendar, LocalDay>();

/** The local day that holds the instant `atMs`. */
export function localDayAt(calendar: WorkCalendar, atMs: number): LocalDay {
  const last = lastDayOf.get(calendar);
  if (last !== undefined && atMs >= last.startMs && atMs < last.endMs) return last;
  const day = findDay(calendar, atMs);
  lastDayOf.set(calendar, day);
  return day;
}

function findDay(calendar: WorkCalendar, atMs: number): LocalDay {
  const calendarKey = `${calendar.time_zone} ${calendar.shift.start} ${calendar.shift.end}`;
  const last = lastDays.get(calendarKey);
  if (last !== undefined && atMs >= last.startMs && atMs < last.endMs) return last;
  const local = DateTime.fromMillis(atMs, { zone: calendar.time_zone });
  const key = `${calendarKey} ${local.toISODate()}`;
  const day = cachedDays.get(key) ?? makeDay(local, calendar.shift);
  // Oldest first out: dropping them all now and then costs less than an order of use.
  if (cachedDays.size >= CACHED_DAYS) cachedDays.clear();
  if (lastDays.size >= CACHED_DAYS) lastDays.clear();
  cachedDays.set(key, day);
  lastDays.set(calendarKey, day);
  return day;
}

/** Local calendar date, YYYY-MM-DD. */
export function localDate(timeZone: string, atMs: number): string {
  return localDayAt({ time_zone: timeZone, shift: { start: "00:00", end: "24:00" } }, atMs).day;
}

/** Seconds of the shift that have passed since local midnight. */
export function shiftSecondsElapsed(calendar: WorkCalendar, nowMs: number): number {
  return overlapMs(localDayAt(calendar, nowMs).shift, 0, nowMs) / 1000;
}

/** How much of `[fromMs, toMs)` lies in the given intervals, ms. */
export function overlapMs(intervals: readonly IntervalMs[], fromMs: number, toMs: number): number {
  let sum = 0;
  for (const { startMs, endMs } of intervals) {
    sum += Math.max(0, Math.min(toMs, endMs) - Math.max(fromMs, startMs));
  }
  return sum;
}

function makeDay(local: DateTime, shift: Shift): LocalDay {
  const midnight = local.startOf("day");
  const startMs = midnight.toMillis();
  const endMs = midnight.plus({ days: 1 }).toMillis();
  const shiftStartMs = atTimeOfDay(midnight, shift.start);
  const shiftEndMs = atTimeOfDay(midnight, shift.end);
  const parts =
    shiftStartMs < shiftEndMs
      ? [{ startMs: shiftStartMs, endMs: shiftEndMs }]
      : // The shift that began yesterday ends today, and today's begins.
        [
          { startMs, endMs: shiftEndMs },
          { startMs: shiftStartMs, endMs },
        ];
  const day = midnight.toISODate();
  if (day === null) throw new RangeError(`no calendar date at ${local.toMillis()}`);
  return { day, startMs, endMs, shift: parts.filter((part) => part.endMs > part.startMs) };
}

/** "24:00" is midnight of the next day; a time that a clock change skips is moved on by luxon. */
function atTimeOfDay(midnight: DateTime, timeOfDay: string): number {
  const [hour, minute] = timeOfDay.split(":").map(Number);
  return hour === 24
    ? midnight.plus({ days: 1 }).toMillis()
    : midnight.set({ hour: hour ?? 0, minute: minute ?? 0 }).toMillis();
}
