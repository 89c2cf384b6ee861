import { describe, expect, it } from "vitest";
import type { WorkCalendar } from "../../../domain/local-time.ts";
import { openTimelineRun } from "../../support/timeline-run.ts";
import { readingAt } from "../../support/usage-day.ts";

const HOUR_S = 3_600;
const calendarIn = (time_zone: string): WorkCalendar => ({
  ...{ time_zone, shift: { start: "00:00", end: "24:00" } },
});

/** A machine whose engine runs all the time, read every `everyS` seconds from second to second. */
async function work(
  run: ReturnType<typeof openTimelineRun>,
  fromS: number,
  toS: number,
  everyS: number,
) {
  for (let s = fromS; s <= toS; s += everyS) {
    await run.take(readingAt(s, { engine_on: 1, engine_hours: 100 + s / HOUR_S }));
  }
}

// Second 0 is 2026-06-01T18:00:00Z.
const MOVED_S = 20 * HOUR_S;

describe("an asset that moves to a project in another time zone", () => {
  for (const [from, to] of [
    ["Europe/Berlin", "Europe/London"],
    ["Australia/Sydney", "America/Los_Angeles"],
    ["Europe/London", "Europe/Berlin"],
    ["America/Los_Angeles", "Australia/Sydney"],
    ["Pacific/Pago_Pago", "Pacific/Kiritimati"],
    ["Pacific/Kiritimati", "Pacific/Pago_Pago"],
  ] as const) {
    it(`an asset that moves to a project in another time zone keeps what the day of the move held, from ${from} to ${to}`, async () => {
      const calendar = { ...calendarIn(from) };
      const run = openTimelineRun(calendar);
      await work(run, 0, MOVED_S, 120);
      const before = new Map([...run.storedDays].map(([day, { engineOnMs }]) => [day, engineOnMs]));
      Object.assign(calendar, calendarIn(to));
      await work(run, MOVED_S + 120, 60 * HOUR_S, 120);

      for (const [day, engineOnMs] of before) {
        expect(run.storedDays.get(day)?.engineOnMs, day).toBeGreaterThanOrEqual(engineOnMs);
      }
      const days = run.track.days.map(({ day }) => day);
      expect(days).toEqual([...new Set(days)]);
    });

    it(`an asset that moves to a project in another time zone bridges the rest of the day of the move, from ${from} to ${to}`, async () => {
      const calendar = { ...calendarIn(from) };
      const run = openTimelineRun(calendar);
      await work(run, 0, MOVED_S, HOUR_S);
      Object.assign(calendar, calendarIn(to));
      await work(run, MOVED_S + HOUR_S, 60 * HOUR_S, HOUR_S);

      const all = [...run.storedDays.values()].reduce((sum, { engineOnMs }) => sum + engineOnMs, 0);
      expect(all / 3_600_000).toBeCloseTo(60, 1);
    });
  }
});

describe("a late reading after an asset has moved to another time zone", () => {
  for (const [from, to] of [
    ["Europe/Berlin", "Europe/London"],
    ["Australia/Sydney", "America/Los_Angeles"],
    ["Europe/London", "Asia/Kolkata"],
    ["America/Los_Angeles", "Australia/Sydney"],
    ["Pacific/Pago_Pago", "Pacific/Auckland"],
    ["Pacific/Auckland", "Pacific/Pago_Pago"],
  ] as const) {
    it(`a late reading after an asset has moved to another time zone loses no hours of the days before and after, from ${from} to ${to}`, async () => {
      for (const lateS of [5, 19, 21, 27, 31, 45]) {
        const calendar = { ...calendarIn(from) };
        const run = openTimelineRun(calendar);
        await work(run, 0, MOVED_S, 120);
        Object.assign(calendar, calendarIn(to));
        await work(run, MOVED_S + 120, 60 * HOUR_S, 120);
        await run.take(readingAt(lateS * HOUR_S + 61, { engine_on: 1 }));
        await run.rerun();

        const hours = [...run.storedDays.values()].reduce((sum, day) => sum + day.engineOnMs, 0);
        expect(hours / 3_600_000, `${lateS} h`).toBeCloseTo(60, 1);
      }
    });
  }
});
