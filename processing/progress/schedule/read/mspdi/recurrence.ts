import { DAY_MS } from "../../../../../domain/time.ts";
import { weekdayOf } from "../draft/work-spans.ts";

/** Days since 1970-01-01, both inclusive. */
export interface DayRange {
  readonly fromDay: number;
  readonly toDay: number;
}

/** Days of an exception of MS Project, by `Type` of its schema (mspdi_pj12.xsd, Exception). */
export interface Recurrence extends DayRange {
  /** 1 daily, 2 and 3 yearly, 4 and 5 monthly (each by day of the month, by position), 6 weekly, 7 by days. */
  readonly type: number;
  /** Every so many days, weeks or months. */
  readonly period: number;
  /** Most occurrences; `undefined`: only `toDay` ends it. */
  readonly occurrences: number | undefined;
  /** Sum of 1 = Sunday, 2 = Monday, 4, ... 64 = Saturday. */
  readonly daysOfWeek: number;
  /** 0 = January. */
  readonly month: number;
  readonly monthDay: number;
  /** 0 day, 1 weekday, 2 day of the weekend, 3 = Sunday to 9 = Saturday. */
  readonly monthItem: number;
  /** 0 first to 3 fourth, 4 last. */
  readonly monthPosition: number;
}

/**
 * Its days within `[fromDay, toDay]` of a window, ascending; `undefined` for a type that is not known
 * here (8, by count of weekdays).
 */
export function recurringDays(
  recurrence: Recurrence,
  window: DayRange,
): readonly number[] | undefined {
  const { type, occurrences } = recurrence;
  const isDay = dayTest(recurrence);
  if (isDay === undefined) return undefined;
  const days: number[] = [];
  const { fromDay, toDay } = triedDays(recurrence, window);
  const most = isPlain(type, recurrence.period) ? undefined : occurrences;
  let found = 0;
  for (let day = fromDay; day <= toDay; day++) {
    if (!isDay(day)) continue;
    found += 1;
    if (most !== undefined && found > most) break;
    if (day >= window.fromDay) days.push(day);
  }
  return days;
}

/** How many days `recurringDays` tests: its cost. */
export function daysTested(recurrence: Recurrence, window: DayRange): number {
  const { fromDay, toDay } = triedDays(recurrence, window);
  return Math.max(0, toDay - fromDay + 1);
}

/** Occurrences count from the first on; without them nothing before the window matters. */
function triedDays(recurrence: Recurrence, window: DayRange): DayRange {
  const isCounted =
    recurrence.occurrences !== undefined && !isPlain(recurrence.type, recurrence.period);
  return {
    fromDay: isCounted ? recurrence.fromDay : Math.max(recurrence.fromDay, window.fromDay),
    toDay: Math.min(recurrence.toDay, window.toDay),
  };
}

/** A range of days, all of them. */
const isPlain = (type: number, period: number): boolean =>
  type === 0 || type === 9 || ((type === 1 || type === 7) && period === 1);

function dayTest(recurrence: Recurrence): ((day: number) => boolean) | undefined {
  const { type, period, fromDay, daysOfWeek, monthDay } = recurrence;
  if (isPlain(type, period)) return () => true;
  if (type === 1 || type === 7) return (day) => (day - fromDay) % period === 0;
  if (type === 6) {
    // Weeks begin on Sunday, as the mask does.
    const firstSunday = fromDay - sundayFirst(fromDay);
    return (day) =>
      Math.floor((day - firstSunday) / 7) % period === 0 &&
      (daysOfWeek & (1 << sundayFirst(day))) !== 0;
  }
  const isMonth = monthTest(recurrence);
  if (type === 2 || type === 4) {
    return (day) => dateOf(day).getUTCDate() === monthDay && isMonth(dateOf(day));
  }
  if (type === 3 || type === 5) {
    return (day) => isMonth(dateOf(day)) && isAtPosition(day, recurrence);
  }
  return undefined;
}

/** Yearly: in one month; monthly: every so many months from the first on. */
function monthTest({ type, month, period, fromDay }: Recurrence): (date: Date) => boolean {
  if (type === 2 || type === 3) return (date) => date.getUTCMonth() === month;
  const first = monthsOf(dateOf(fromDay));
  return (date) => (monthsOf(date) - first) % period === 0;
}

/** Whether a day is the first, ... or last of its kind in its month. */
function isAtPosition(day: number, { monthItem, monthPosition }: Recurrence): boolean {
  if (!isItem(day, monthItem)) return false;
  const date = dateOf(day).getUTCDate();
  const firstOfMonth = day - date + 1;
  const nextMonth = Date.UTC(dateOf(day).getUTCFullYear(), dateOf(day).getUTCMonth() + 1, 1);
  const isLast = monthPosition === 4;
  const from = isLast ? day + 1 : firstOfMonth;
  const to = isLast ? nextMonth / DAY_MS : day;
  let others = 0;
  for (let other = from; other < to; other++) if (isItem(other, monthItem)) others += 1;
  return others === (isLast ? 0 : monthPosition);
}

function isItem(day: number, monthItem: number): boolean {
  const weekday = weekdayOf(day);
  if (monthItem === 0) return true;
  if (monthItem === 1) return weekday < 5;
  if (monthItem === 2) return weekday >= 5;
  return sundayFirst(day) === monthItem - 3;
}

const dateOf = (day: number): Date => new Date(day * DAY_MS);
const monthsOf = (date: Date): number => date.getUTCFullYear() * 12 + date.getUTCMonth();
/** Weekday with Sunday = 0. */
const sundayFirst = (day: number): number => (weekdayOf(day) + 1) % 7;
