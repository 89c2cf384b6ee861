import { describe, expect, it } from "vitest";
import { createWallClock } from "../../../../processing/progress/schedule/wall-clock.ts";
import { wall } from "./site-calendars.ts";

const utc = (text: string): number => Date.parse(`${text.replace(" ", "T")}Z`);

describe("the wall clock of a project", () => {
  it.each([
    ["winter", "Europe/Berlin", "2026-01-15 08:00", "2026-01-15 07:00"],
    ["summer", "Europe/Berlin", "2026-07-15 08:00", "2026-07-15 06:00"],
    // Skipped: at 01:00 UTC clocks go from 02:00 to 03:00.
    ["a time that is skipped", "Europe/Berlin", "2026-03-29 02:30", "2026-03-29 01:00"],
    // Lived twice, 00:30 and 01:30 UTC.
    ["a time that is lived twice", "Europe/Berlin", "2026-10-25 02:30", "2026-10-25 00:30"],
    ["the first minute after it", "Europe/Berlin", "2026-10-25 03:00", "2026-10-25 02:00"],
    ["half an hour", "Australia/Lord_Howe", "2026-07-01 00:00", "2026-06-30 13:30"],
    ["14 hours ahead", "Pacific/Kiritimati", "2026-07-01 00:00", "2026-06-30 10:00"],
    ["11 hours behind", "Pacific/Pago_Pago", "2026-07-01 00:00", "2026-07-01 11:00"],
  ])("the wall clock of a project finds the first instant of %s", (_, zone, local, instant) => {
    const clock = createWallClock(zone);
    expect(clock.instantOf(wall(local))).toBe(utc(instant));
  });

  it.each([
    "Europe/Berlin",
    "America/New_York",
    "Australia/Lord_Howe",
    "Antarctica/Troll",
    "UTC",
  ])("the wall clock of a project never runs back in %s, and comes back to each time that it shows", (zone) => {
    const clock = createWallClock(zone);
    let before = Number.NEGATIVE_INFINITY;
    // Every 10 minutes of the days around changes of clocks in 2026.
    for (const day of [
      "2026-03-08",
      "2026-03-29",
      "2026-04-05",
      "2026-10-04",
      "2026-10-25",
      "2026-11-01",
    ]) {
      for (let i = 0; i < 288; i++) {
        const shown = clock.wallMinAt(utc(`${day} 00:00`) + (i - 72) * 600_000);
        expect(shown).toBeGreaterThanOrEqual(before);
        expect(clock.wallMinAt(clock.instantOf(shown))).toBe(shown);
        before = shown;
      }
      before = Number.NEGATIVE_INFINITY;
    }
  });
});
