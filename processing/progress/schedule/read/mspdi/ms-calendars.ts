import type { WorkCalendar } from "../../../../../domain/sites/schedule.ts";
import { quoted } from "../../../../uploads/file-words.ts";
import { readName } from "../draft/schedule-draft.ts";
import type { Problems } from "../draft/schedule-error.ts";
import { dayOf, isoWallMinutes, minutesOfDay, SCHEDULE_DAYS } from "../draft/wall-minutes.ts";
import {
  createDayCount,
  MOST_EXCEPTIONS,
  makeCalendar,
  PLAIN_WEEK,
  type Shift,
  weekdayOf,
} from "../draft/work-spans.ts";
import { type DayRange, daysTested, type Recurrence, recurringDays } from "./recurrence.ts";
import type { RecordShape, XmlRecord } from "./xml-records.ts";

const NO_RECORDS = {};
const shape = (texts: readonly string[], records: RecordShape["records"] = NO_RECORDS) => ({
  texts: new Set(texts),
  records,
});
const PERIOD = shape(["FromDate", "ToDate"]);
const TIMES = shape([], { WorkingTime: shape(["FromTime", "ToTime"]) });
const WEEK_DAYS = shape([], {
  WeekDay: shape(["DayType", "DayWorking"], { TimePeriod: PERIOD, WorkingTimes: TIMES }),
});

/** What is read of one `Calendar`. */
export const CALENDAR_SHAPE: RecordShape = shape(["UID", "Name", "BaseCalendarUID"], {
  WeekDays: WEEK_DAYS,
  WorkWeeks: shape([], {
    WorkWeek: shape([], { TimePeriod: PERIOD, WeekDays: WEEK_DAYS }),
  }),
  Exceptions: shape([], {
    Exception: shape(
      [
        "Name",
        "EnteredByOccurrences",
        "Occurrences",
        "Type",
        "Period",
        "DaysOfWeek",
        "MonthItem",
        "MonthPosition",
        "Month",
        "MonthDay",
        "DayWorking",
      ],
      { TimePeriod: PERIOD, WorkingTimes: TIMES },
    ),
  }),
});

/**
 * Most days that exceptions which recur are tried on: 1,000 holidays of 20 calendars in 3 years. It bounds time:
 * each day is tried alone.
 */
const MOST_TESTED = 20_000_000;
/** Longest chain of base calendars; MS Project has 2. It ends chains that lead back to themselves. */
const MOST_BASES = 8;

/** The calendars of an MSPDI; only those that activities use are computed. */
export class MsCalendars {
  readonly #problems: Problems;
  readonly #warnings: string[];
  readonly #calendars = new Map<string, XmlRecord>();
  readonly #count = createDayCount(MOST_EXCEPTIONS);
  readonly #countTested = createDayCount(MOST_TESTED);

  constructor(problems: Problems, warnings: string[]) {
    this.#problems = problems;
    this.#warnings = warnings;
  }

  take(calendar: XmlRecord): void {
    this.#calendars.set(calendar.text("UID"), calendar);
  }

  has(uid: string): boolean {
    return this.#calendars.has(uid);
  }

  /**
   * `window`: the days that activities lie on; exceptions elsewhere never count.
   * @throws ScheduleError for more days of exceptions than a file may have.
   */
  make(uid: string, window: DayRange): WorkCalendar {
    const week: (readonly Shift[] | undefined)[] = new Array(7).fill(undefined);
    const exceptions = new Map<number, readonly Shift[]>();
    let calendar = this.#calendars.get(uid);
    const name = calendar?.text("Name") ?? "";
    for (let bases = 0; calendar !== undefined && bases < MOST_BASES; bases++) {
      this.#addExceptions(calendar, exceptions, window);
      this.#addWorkWeeks(calendar, exceptions, window);
      for (const day of weekDaysOf(calendar)) {
        const weekday = weekdayIn(day);
        if (weekday !== undefined) week[weekday] ??= this.#shiftsOf(day);
      }
      calendar = this.#calendars.get(calendar.text("BaseCalendarUID"));
    }
    if (week.every((shifts) => shifts === undefined)) {
      this.#warnings.push(
        `the calendar ${quoted(name)} names no days of the week; Monday to Friday, 08:00 to 16:00, are assumed`,
      );
    }
    const where = `calendar ${quoted(name)}, Name`;
    const hours = week.map((shifts, weekday) => shifts ?? PLAIN_WEEK[weekday] ?? []);
    return makeCalendar(readName(name, where, this.#problems), hours, exceptions);
  }

  #shiftsOf(day: XmlRecord): readonly Shift[] {
    if (day.text("DayWorking") === "0") return [];
    const times = day.list("WorkingTimes").flatMap((list) => list.list("WorkingTime"));
    return times.flatMap((time): Shift[] => {
      const [fromText, toText] = [time.text("FromTime"), time.text("ToTime")];
      // MS Project leaves empty places in its list of five.
      if (fromText === "" && toText === "") return [];
      const from = minutesOfDay(fromText);
      const to = minutesOfDay(toText);
      if (from !== undefined && to !== undefined) return [[from, to]];
      this.#problems.add(
        `line ${time.line}, WorkingTime`,
        "must have a FromTime and a ToTime such as 08:00:00",
      );
      return [];
    });
  }

  #rangeOf(record: XmlRecord): DayRange | undefined {
    const [period] = record.list("TimePeriod");
    const from = isoWallMinutes(period?.text("FromDate") ?? "");
    const to = isoWallMinutes(period?.text("ToDate") ?? "");
    // Periods without dates, or of years far away, mean no day that could count.
    if (from === undefined) return undefined;
    return { fromDay: dayOf(from), toDay: to === undefined ? SCHEDULE_DAYS - 1 : dayOf(to) };
  }

  /** Adds days that are not there yet: the first entry has precedence. */
  #add(
    shiftsByDay: Map<number, readonly Shift[]>,
    days: readonly number[],
    shifts: readonly Shift[],
  ): void {
    this.#count(days.length);
    for (const day of days) if (!shiftsByDay.has(day)) shiftsByDay.set(day, shifts);
  }

  #addExceptions(
    calendar: XmlRecord,
    shiftsByDay: Map<number, readonly Shift[]>,
    window: DayRange,
  ): void {
    const exceptions = calendar.list("Exceptions").flatMap((list) => list.list("Exception"));
    for (const exception of exceptions) {
      const range = this.#rangeOf(exception);
      if (range === undefined) continue;
      const recurrence = recurrenceOf(exception, range);
      this.#countTested(daysTested(recurrence, window));
      const days = recurringDays(recurrence, window);
      if (days === undefined) {
        this.#warnings.push(
          `the exception ${quoted(exception.text("Name"))} of the calendar ${quoted(calendar.text("Name"))} recurs in a way that is not read`,
        );
      } else this.#add(shiftsByDay, days, this.#shiftsOf(exception));
    }
    // Project 2007 and later repeat their exceptions as days of type 0, for readers of older files.
    if (exceptions.length > 0) return;
    for (const day of weekDaysOf(calendar)) {
      const range = day.text("DayType") === "0" ? this.#rangeOf(day) : undefined;
      if (range !== undefined) this.#add(shiftsByDay, daysIn(range, window), this.#shiftsOf(day));
    }
  }

  #addWorkWeeks(
    calendar: XmlRecord,
    shiftsByDay: Map<number, readonly Shift[]>,
    window: DayRange,
  ): void {
    for (const week of calendar.list("WorkWeeks").flatMap((list) => list.list("WorkWeek"))) {
      const range = this.#rangeOf(week);
      if (range === undefined) continue;
      for (const day of weekDaysOf(week)) {
        const weekday = weekdayIn(day);
        if (weekday === undefined) continue;
        const days = daysIn(range, window).filter((one) => weekdayOf(one) === weekday);
        this.#add(shiftsByDay, days, this.#shiftsOf(day));
      }
    }
  }
}

const weekDaysOf = (record: XmlRecord): readonly XmlRecord[] =>
  record.list("WeekDays").flatMap((list) => list.list("WeekDay"));

/** Monday is 0; `undefined`: it is not one of the seven, but an exception. */
function weekdayIn(day: XmlRecord): number | undefined {
  const sundayFirst = Number(day.text("DayType"));
  const isWeekday = Number.isInteger(sundayFirst) && sundayFirst >= 1 && sundayFirst <= 7;
  return isWeekday ? (sundayFirst + 5) % 7 : undefined;
}

function daysIn(range: DayRange, window: DayRange): readonly number[] {
  const fromDay = Math.max(range.fromDay, window.fromDay);
  const count = Math.min(range.toDay, window.toDay) - fromDay + 1;
  return Array.from({ length: Math.max(0, count) }, (_, i) => fromDay + i);
}

function recurrenceOf(exception: XmlRecord, range: DayRange): Recurrence {
  const whole = (name: string, otherwise: number): number => {
    const value = Number(exception.text(name) || otherwise);
    return Number.isInteger(value) ? value : otherwise;
  };
  return {
    ...range,
    type: whole("Type", 1),
    period: Math.max(1, whole("Period", 1)),
    occurrences:
      exception.text("EnteredByOccurrences") === "1" ? whole("Occurrences", 1) : undefined,
    daysOfWeek: whole("DaysOfWeek", 0),
    month: whole("Month", 0),
    monthDay: whole("MonthDay", 1),
    monthItem: whole("MonthItem", 0),
    monthPosition: whole("MonthPosition", 0),
  };
}
