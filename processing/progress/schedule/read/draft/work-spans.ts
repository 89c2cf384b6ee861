import type { WorkCalendar, WorkSpan } from "../../../../../domain/sites/schedule.ts";
import { DAY_MIN } from "../../../../../domain/time.ts";
import { unreadable } from "./schedule-error.ts";
import { SCHEDULE_DAYS } from "./wall-minutes.ts";

/**
 * Most days of exceptions in all calendars of a file: 100 calendars of 2,000 days. It bounds memory; more would
 * be refused in words.
 */
export const MOST_EXCEPTIONS = 200_000;

/** A shift as files give it; one that ends before it begins ends on the next day. */
export type Shift = readonly [fromMin: number, toMin: number];

/** The hours of one day that differ from the week's. */
export type ShiftsByDay = ReadonlyMap<number, readonly Shift[]>;

/** Weekday of a day since 1970-01-01, a Thursday; Monday is 0. */
export const weekdayOf = (day: number): number => (day + 3) % 7;

/** What works in shifts, cut at midnight, ascending and merged: the form of `WorkCalendar`. */
function workSpans(shifts: readonly Shift[]): readonly WorkSpan[] {
  const sorted = shifts.filter(([from, to]) => to > from).sort(([a], [b]) => a - b);
  const spans: [number, number][] = [];
  for (const [from, to] of sorted) {
    const last = spans.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else spans.push([from, to]);
  }
  return spans;
}

/** The part of shifts that lies on the day itself. */
const today = (shifts: readonly Shift[]): Shift[] =>
  shifts.map(([from, to]) => [from, to <= from ? DAY_MIN : to]);

/** The part that lies on the next day; a shift that ends at 00:00 has none. */
const tomorrow = (shifts: readonly Shift[]): Shift[] =>
  shifts.filter(([from, to]) => to <= from).map(([, to]) => [0, to]);

/**
 * A calendar of a week (seven lists of shifts from Monday on) and of days that differ. What a shift
 * works after midnight belongs to the next day: a holiday there takes it, and that of an exception is
 * added to whatever the next day works.
 */
export function makeCalendar(
  name: string,
  week: readonly (readonly Shift[])[],
  exceptions: ShiftsByDay,
): WorkCalendar {
  const days = week.map((shifts, weekday) =>
    workSpans([...today(shifts), ...tomorrow(week[(weekday + 6) % 7] ?? [])]),
  );
  const spansByDay = new Map<number, readonly WorkSpan[]>();
  for (const [day, shifts] of exceptions) spansByDay.set(day, workSpans(today(shifts)));
  for (const [day, shifts] of exceptions) {
    const tail = tomorrow(shifts);
    if (tail.length === 0) continue;
    const next = spansByDay.get(day + 1) ?? days[weekdayOf(day + 1)] ?? [];
    spansByDay.set(day + 1, workSpans([...next, ...tail]));
  }
  return {
    name,
    week: days,
    exceptions: [...spansByDay]
      .filter(([day]) => day >= 0 && day < SCHEDULE_DAYS)
      .sort(([a], [b]) => a - b)
      .map(([day, spans]) => ({ day, spans })),
  };
}

/**
 * Monday to Friday, 08:00 to 16:00: of a calendar that says nothing. 8 hours, as MS Project and P6 have them by
 * default.
 */
export const PLAIN_WEEK: readonly (readonly Shift[])[] = [0, 1, 2, 3, 4, 5, 6].map((weekday) =>
  weekday < 5 ? [[480, 960] as const] : [],
);

/** Counts days over the calendars of a file. @throws ScheduleError for more than there may be. */
export function createDayCount(most: number): (days: number) => void {
  let count = 0;
  return (days) => {
    count += days;
    if (count > most) {
      throw unreadable("file", `has more exceptions in its calendars than are read (${most} days)`);
    }
  };
}
