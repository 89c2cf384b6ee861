import type { WorkCalendar, WorkSpan } from "../../../domain/sites/schedule.ts";
import { DAY_MIN } from "../../../domain/time.ts";
import { lowerBound } from "../../numeric/bisection.ts";

const WEEK_DAYS = 7;
/** 1970-01-01 was a Thursday: days since then plus 3 are days since a Monday. */
const MONDAY_SHIFT = 3;

/** Working minutes of a calendar between 1970-01-01T00:00 and a wall-clock minute (with fractions). */
export type WorkedMinutes = (wallMin: number) => number;

/**
 * Prepares a calendar so that the working minutes between two times cost O(log exceptions), however far
 * they are apart: whole weeks are a product, exceptions are prefix sums of what they add or take.
 */
export function workedMinutes({ week, exceptions }: WorkCalendar): WorkedMinutes {
  const minutesByWeekday = week.map(minutesOf);
  /** Minutes from Monday up to the weekday. */
  const beforeWeekday = [0];
  for (const minutes of minutesByWeekday) {
    beforeWeekday.push((beforeWeekday.at(-1) ?? 0) + minutes);
  }
  const weekMinutes = beforeWeekday[WEEK_DAYS] ?? 0;
  const days = Int32Array.from(exceptions, ({ day }) => day);
  /** What the exceptions before index i add to the weeks, minutes. */
  const added = new Float64Array(days.length + 1);
  exceptions.forEach(({ day, spans }, i) => {
    const usual = minutesByWeekday[(day + MONDAY_SHIFT) % WEEK_DAYS] ?? 0;
    added[i + 1] = (added[i] ?? 0) + minutesOf(spans) - usual;
  });
  const none: readonly WorkSpan[] = [];

  return (wallMin) => {
    const day = Math.floor(wallMin / DAY_MIN);
    const sinceMonday = day + MONDAY_SHIFT;
    const weekday = sinceMonday % WEEK_DAYS;
    const i = lowerBound(days, day);
    const spans = days[i] === day ? exceptions[i]?.spans : week[weekday];
    let minutes =
      Math.floor(sinceMonday / WEEK_DAYS) * weekMinutes +
      (beforeWeekday[weekday] ?? 0) +
      (added[i] ?? 0);
    const inDay = wallMin - day * DAY_MIN;
    for (const [from, to] of spans ?? none) {
      if (inDay <= from) break;
      minutes += Math.min(inDay, to) - from;
    }
    return minutes;
  };
}

const minutesOf = (spans: readonly WorkSpan[]): number =>
  spans.reduce((sum, [from, to]) => sum + to - from, 0);
