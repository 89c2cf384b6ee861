import { describe, expect, it } from "vitest";
import {
  type Recurrence,
  recurringDays,
} from "../../../../../processing/progress/schedule/read/mspdi/recurrence.ts";
import { day } from "../site-calendars.ts";

const WINDOW = { fromDay: day("2026-01-01"), toDay: day("2027-12-31") };

const recurrence = (fields: Partial<Recurrence>): Recurrence => ({
  type: 1,
  fromDay: day("2026-01-01"),
  toDay: day("2030-12-31"),
  period: 1,
  occurrences: undefined,
  daysOfWeek: 0,
  month: 0,
  monthDay: 1,
  monthItem: 0,
  monthPosition: 0,
  ...fields,
});

const dates = (fields: Partial<Recurrence>): readonly string[] | undefined =>
  recurringDays(recurrence(fields), WINDOW)?.map((one) =>
    new Date(one * 86_400_000).toISOString().slice(0, 10),
  );

describe("days of an exception that recurs", () => {
  it("daily is all days of its range, or every so many", () => {
    const range = { fromDay: day("2026-12-24"), toDay: day("2026-12-31") };
    expect(dates(range)).toHaveLength(8);
    expect(dates({ ...range, period: 3 })).toEqual(["2026-12-24", "2026-12-27", "2026-12-30"]);
    expect(dates({ ...range, type: 7, period: 7 })).toEqual(["2026-12-24", "2026-12-31"]);
  });

  it("yearly by the day of the month is once a year", () => {
    expect(dates({ type: 2, month: 11, monthDay: 25 })).toEqual(["2026-12-25", "2027-12-25"]);
    expect(dates({ type: 2, month: 1, monthDay: 29 })).toEqual([]);
  });

  it("an exception that recurs yearly by position is the fourth Thursday of November, or the last Monday of May", () => {
    const thanksgiving = { type: 3, month: 10, monthItem: 7, monthPosition: 3 };
    expect(dates(thanksgiving)).toEqual(["2026-11-26", "2027-11-25"]);
    const memorial = { type: 3, month: 4, monthItem: 4, monthPosition: 4 };
    expect(dates(memorial)).toEqual(["2026-05-25", "2027-05-31"]);
  });

  it("monthly is by the day, every so many months, or by position", () => {
    const first = { type: 4, fromDay: day("2026-02-01"), toDay: day("2026-08-31") };
    expect(dates({ ...first, period: 3, monthDay: 15 })).toEqual([
      "2026-02-15",
      "2026-05-15",
      "2026-08-15",
    ]);
    // First weekday (1), last day of the weekend (2), last day (0).
    const spring = { type: 5, fromDay: day("2026-02-01"), toDay: day("2026-03-31") };
    expect(dates({ ...spring, monthItem: 1 })).toEqual(["2026-02-02", "2026-03-02"]);
    expect(dates({ ...spring, monthItem: 2, monthPosition: 4 })).toEqual([
      "2026-02-28",
      "2026-03-29",
    ]);
    expect(dates({ ...spring, monthPosition: 4 })).toEqual(["2026-02-28", "2026-03-31"]);
  });

  it("weekly is by its days, every so many weeks from Sunday on", () => {
    // Monday (2) and Friday (32), every second week; 2026-03-04 is a Wednesday.
    const range = { type: 6, fromDay: day("2026-03-04"), toDay: day("2026-03-31"), period: 2 };
    expect(dates({ ...range, daysOfWeek: 34 })).toEqual([
      "2026-03-06",
      "2026-03-16",
      "2026-03-20",
      "2026-03-30",
    ]);
  });

  it("an exception that recurs ends after its occurrences, counted from the first one on", () => {
    const christmas = { type: 2, month: 11, monthDay: 25, fromDay: day("2020-01-01") };
    expect(dates({ ...christmas, occurrences: 7 })).toEqual(["2026-12-25"]);
  });

  it("an exception that recurs is not known by count of weekdays", () => {
    expect(dates({ type: 8 })).toBeUndefined();
  });
});
