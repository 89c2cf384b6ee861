import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { WorkCalendar } from "../../../../domain/sites/schedule.ts";
import { isoWallMinutes } from "../../../../processing/progress/schedule/read/draft/wall-minutes.ts";
import {
  makeCalendar,
  type Shift,
} from "../../../../processing/progress/schedule/read/draft/work-spans.ts";
import { workedMinutes } from "../../../../processing/progress/schedule/working-time.ts";
import { day, EIGHT_HOURS, week } from "./site-calendars.ts";

const minutes = (calendar: WorkCalendar, from: string, to: string): number => {
  const worked = workedMinutes(calendar);
  return worked(isoWallMinutes(to) ?? Number.NaN) - worked(isoWallMinutes(from) ?? Number.NaN);
};

describe("working minutes between two times", () => {
  // 2026-04-03 is Good Friday, 2026-04-06 Easter Monday, 2026-04-02 a half day until 12:00.
  const easter = makeCalendar(
    "Easter",
    week(EIGHT_HOURS),
    new Map<number, readonly Shift[]>([
      [day("2026-04-02"), [[480, 720]]],
      [day("2026-04-03"), []],
      [day("2026-04-06"), []],
      // A Saturday that is worked from 7 to 12.
      [day("2026-04-11"), [[420, 720]]],
    ]),
  );

  it.each([
    // Monday 08-12 and 13-17.
    ["a whole day", "2026-03-30 00:00", "2026-03-31 00:00", 480],
    ["until half past nine", "2026-03-30 08:00", "2026-03-30 09:30", 90],
    ["over the break", "2026-03-30 11:30", "2026-03-30 13:15", 45],
    ["within the break", "2026-03-30 12:10", "2026-03-30 12:50", 0],
    // Mon, Tue, Wed of 8 h; half a Thursday of 4 h; nothing on Friday and the weekend.
    ["the week before Easter", "2026-03-30 00:00", "2026-04-06 00:00", 3 * 480 + 240],
    // Monday off; Tue to Fri; Saturday 5 h.
    ["the week after Easter", "2026-04-06 00:00", "2026-04-13 00:00", 4 * 480 + 300],
    // The half day is over at noon.
    ["from the noon of the half day on", "2026-04-02 12:00", "2026-04-07 08:00", 0],
    // 52 weeks of 5 days, less Good Friday and Easter Monday (2 x 480) and half a Thursday (240), with a
    // Saturday (300).
    ["52 weeks", "2026-01-05 00:00", "2027-01-04 00:00", 52 * 5 * 480 - 960 - 240 + 300],
  ])("%s", (_, from, to, expected) => {
    expect(minutes(easter, from, to)).toBe(expected);
  });

  it("the count of working minutes carries a night shift over midnight, and a holiday takes what lies on its own day", () => {
    // Every weekday from 22:00 to 06:00; Wednesday 2026-03-04 is a holiday.
    const nights = makeCalendar("Nights", week([[1_320, 360]]), new Map([[day("2026-03-04"), []]]));
    // Monday night: 2 h before midnight, 6 h after it.
    expect(minutes(nights, "2026-03-02 12:00", "2026-03-03 12:00")).toBe(480);
    expect(minutes(nights, "2026-03-02 22:00", "2026-03-03 00:30")).toBe(150);
    // Tuesday's 2 h before midnight; nothing on Wednesday; Thursday's 6 h after midnight.
    expect(minutes(nights, "2026-03-03 12:00", "2026-03-05 00:00")).toBe(120);
    expect(minutes(nights, "2026-03-03 12:00", "2026-03-05 12:00")).toBe(480);
    // Friday night ends on Saturday morning.
    expect(minutes(nights, "2026-03-07 00:00", "2026-03-08 00:00")).toBe(360);
  });

  it("the count of working minutes adds the morning of an exception's night shift to the next day", () => {
    // Saturday 2026-03-07 is worked from 20:00 to 04:00.
    const calendar = makeCalendar(
      "One night",
      week(EIGHT_HOURS),
      new Map([[day("2026-03-07"), [[1_200, 240] as const]]]),
    );
    expect(minutes(calendar, "2026-03-07 00:00", "2026-03-09 00:00")).toBe(480);
    expect(minutes(calendar, "2026-03-08 00:00", "2026-03-09 00:00")).toBe(240);
  });

  it("the count of working minutes merges shifts that overlap or touch", () => {
    const { week: days } = makeCalendar(
      "Overlaps",
      week([
        [600, 720],
        [480, 610],
        [720, 800],
        [900, 1_000],
      ]),
      new Map(),
    );
    expect(days[0]).toEqual([
      [480, 800],
      [900, 1_000],
    ]);
  });

  it("equals a count of single minutes, whatever the calendar and the times", () => {
    const span = fc.tuple(fc.integer({ min: 0, max: 1_439 }), fc.integer({ min: 0, max: 1_440 }));
    const spans = fc.array(span, { maxLength: 3 });
    const day = fc.integer({ min: 20_000, max: 20_012 });
    const time = fc.integer({ min: 20_000 * 1_440, max: 20_013 * 1_440 });
    const days = fc.array(spans, { minLength: 7, maxLength: 7 });
    const exceptions = fc.array(fc.tuple(day, spans), { maxLength: 4 });
    const property = fc.property(days, exceptions, time, time, (given, others, a, b) => {
      const calendar = makeCalendar("Any", given, new Map(others));
      const [from, to] = a < b ? [a, b] : [b, a];
      const worked = workedMinutes(calendar);
      expect(worked(to) - worked(from)).toBe(countMinutes(calendar, from, to));
    });
    fc.assert(property, { numRuns: 60, seed: 7 });
  });
});

/** One by one: 1970-01-01 was a Thursday. */
function countMinutes(calendar: WorkCalendar, from: number, to: number): number {
  let count = 0;
  for (let minute = from; minute < to; minute++) {
    const inDay = minute % 1_440;
    const today = Math.floor(minute / 1_440);
    const spans =
      calendar.exceptions.find((exception) => exception.day === today)?.spans ??
      calendar.week[(today + 3) % 7] ??
      [];
    if (spans.some(([start, end]) => inDay >= start && inDay < end)) count += 1;
  }
  return count;
}
