import { DAY_MIN } from "../../../../../domain/time.ts";

/** Years that schedules may name; beyond them a date is a slip of the keyboard. */
export const SCHEDULE_YEARS = { first: 1970, last: 2200 } as const;

/** First minute behind the years. */
const END_MIN = Date.UTC(SCHEDULE_YEARS.last + 1, 0, 1) / 60_000;

export const dayOf = (wallMin: number): number => Math.floor(wallMin / DAY_MIN);
/** Days from 1970-01-01 up to the end of the years. */
export const SCHEDULE_DAYS = dayOf(END_MIN);

/**
 * Minutes since 1970-01-01T00:00 by the wall clock; `undefined`: there is no such date, or not in the
 * years. `month` and `day` from 1 on; the hour 24 with minute 0 is the end of the day.
 */
export function wallMinutes(
  year: number,
  month: number,
  day: number,
  hour = 0,
  minute = 0,
): number | undefined {
  if (year < SCHEDULE_YEARS.first || year > SCHEDULE_YEARS.last) return undefined;
  if (hour > 24 || minute > 59 || (hour === 24 && minute > 0)) return undefined;
  if (day < 1 || day > daysOf(year, month)) return undefined;
  return Date.UTC(year, month - 1, day) / 60_000 + hour * 60 + minute;
}

const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Days of a month from 1 to 12, else 0. */
function daysOf(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return (MONTH_DAYS[month - 1] ?? 0) + (isLeap && month === 2 ? 1 : 0);
}

const DATE_TIME = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::\d{2}(?:\.\d{1,7})?)?)?$/;

/** A date, or date and time, in the order of ISO 8601 and without offset; seconds are left out. */
export function isoWallMinutes(text: string): number | undefined {
  const parts = DATE_TIME.exec(text);
  if (parts === null) return undefined;
  const [, year, month, day, hour = "0", minute = "0"] = parts;
  return wallMinutes(Number(year), Number(month), Number(day), Number(hour), Number(minute));
}

const TIME = /^(\d{1,2}):(\d{2})(?::\d{2})?(?: ?([AaPp])\.?[Mm]\.?)?$/;

/** Minutes of the day, 0 to 1440. */
export function minutesOfDay(text: string): number | undefined {
  const parts = TIME.exec(text);
  if (parts === null) return undefined;
  const [, hours = "", minutes = "", half] = parts;
  const hour = Number(hours);
  if (half !== undefined && (hour < 1 || hour > 12)) return undefined;
  const inDay = half === undefined ? hour : (hour % 12) + (half.toLowerCase() === "p" ? 12 : 0);
  const min = inDay * 60 + Number(minutes);
  return Number(minutes) < 60 && min <= DAY_MIN ? min : undefined;
}
