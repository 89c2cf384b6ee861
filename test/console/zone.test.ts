import { describe, expect, it } from "vitest";
import { tickPlaces } from "../../console/parts/chart/tick-places.ts";
import { tickTimes } from "../../console/parts/chart/tick-times.ts";
import {
  dayBegin,
  dayIn,
  fileTime,
  isKnownZone,
  readTime,
  wallText,
} from "../../console/time/zone.ts";

const at = (text: string) => Date.parse(text);
const HOUR = 3_600_000;

/** The same moments as clocks of the zones show them: whole and half hours, three quarters, summer and winter, BC years not. */
const MOMENTS = [
  ["Europe/Berlin", "2026-01-15T08:00:00Z", "2026-01-15T09:00"],
  ["Europe/Berlin", "2026-07-15T22:30:00Z", "2026-07-16T00:30"],
  ["Asia/Kolkata", "2026-07-15T20:00:00Z", "2026-07-16T01:30"],
  ["Asia/Kathmandu", "2026-07-15T00:00:00Z", "2026-07-15T05:45"],
  ["America/St_Johns", "2026-01-01T02:00:00Z", "2025-12-31T22:30"],
  ["Pacific/Kiritimati", "2026-07-15T12:00:00Z", "2026-07-16T02:00"],
  ["UTC", "2026-07-15T12:00:00Z", "2026-07-15T12:00"],
] as const;

describe("a time of a zone", () => {
  it.each(
    MOMENTS,
  )("in %s: %s is shown as %s, and read back as the same moment", (zone, utc, wall) => {
    expect(wallText(at(utc), zone)).toBe(wall);
    expect(readTime(wall, zone)).toEqual({ ms: at(utc), isSkipped: false, isDouble: false });
    expect(dayIn(at(utc), zone)).toBe(wall.slice(0, 10));
  });

  it("that clocks are put forward over is none, and the ones beside it are an hour apart", () => {
    expect(readTime("2026-03-29T02:30", "Europe/Berlin")).toEqual({
      ...{ ms: Number.NaN, isSkipped: true, isDouble: false },
    });
    const [before, after] = ["2026-03-29T01:30", "2026-03-29T03:30"].map(
      (text) => readTime(text, "Europe/Berlin").ms,
    );
    expect((after ?? 0) - (before ?? 0)).toBe(HOUR);
  });

  it("that comes twice is the first of the two", () => {
    expect(readTime("2026-10-25T02:30", "Europe/Berlin")).toEqual({
      ...{ ms: at("2026-10-25T00:30:00Z"), isSkipped: false, isDouble: true },
    });
    // Clocks of Lord Howe are put back by half an hour.
    expect(readTime("2026-04-05T01:45", "Australia/Lord_Howe")).toEqual({
      ...{ ms: at("2026-04-04T14:45:00Z"), isSkipped: false, isDouble: true },
    });
    expect(readTime("2026-04-05T01:15", "Australia/Lord_Howe").isDouble).toBe(false);
  });

  it.each(["", "2026-03-29", "x", "2026-13-01T00:00"])("%j is no time", (text) => {
    expect(readTime(text, "UTC")).toEqual({ ms: Number.NaN, isSkipped: false, isDouble: false });
  });

  it("a name is known or not, which is no error", () => {
    expect(isKnownZone("Asia/Kolkata")).toBe(true);
    expect(isKnownZone("Mars/Olympus")).toBe(false);
  });
});

describe("a day of a zone", () => {
  it("begins at midnight, also before and after clocks are changed", () => {
    const noon = at("2026-10-25T11:00:00Z");
    expect(dayBegin(noon, 0, "Europe/Berlin")).toBe(at("2026-10-24T22:00:00Z"));
    expect(dayBegin(noon, 1, "Europe/Berlin")).toBe(at("2026-10-25T23:00:00Z"));
    expect(dayBegin(noon, -1, "Europe/Berlin")).toBe(at("2026-10-23T22:00:00Z"));
  });

  it("begins an hour later where clocks are put forward at midnight", () => {
    const begin = dayBegin(at("2026-09-06T15:00:00Z"), 0, "America/Santiago");
    expect(begin).toBe(at("2026-09-06T04:00:00Z"));
    expect(wallText(begin, "America/Santiago")).toBe("2026-09-06T01:00");
  });
});

describe("the ticks of an axis of times", () => {
  const labels = (from: string, to: string, stepMs: number, zone: string) =>
    tickTimes(tickPlaces(at(from), at(to), stepMs, zone), stepMs, "en-GB", zone).map((label) =>
      label.replace(/\n.*/, ""),
    );

  it("are at whole hours of the zone, not of UTC", () => {
    const shown = labels("2026-07-15T00:00:00Z", "2026-07-15T04:00:00Z", HOUR, "Asia/Kolkata");
    expect(shown).toEqual(["06:00", "07:00", "08:00", "09:00"]);
  });

  it("skip the hour that clocks leave out, and have the one that they repeat twice", () => {
    const spring = labels("2026-03-28T23:30:00Z", "2026-03-29T02:00:00Z", HOUR, "Europe/Berlin");
    expect(spring).toEqual(["01:00", "03:00", "04:00"]);
    const autumn = labels("2026-10-24T23:00:00Z", "2026-10-25T02:00:00Z", HOUR, "Europe/Berlin");
    expect(autumn).toEqual(["01:00", "02:00", "02:00", "03:00"]);
  });

  it("of six hours stay at six o'clock on a day of 25 hours, and those of a day at midnight", () => {
    const [from, to] = ["2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z"] as const;
    const shown = labels(from, to, 6 * HOUR, "Europe/Berlin");
    expect(shown).toEqual(["00:00", "06:00", "12:00", "18:00", "00:00"]);
    const days = tickPlaces(at(from), at(to), 24 * HOUR, "Europe/Berlin");
    expect(days.map((ms) => new Date(ms).toISOString())).toEqual([
      "2026-10-24T22:00:00.000Z",
      "2026-10-25T23:00:00.000Z",
    ]);
  });

  it("of a second stay within the range", () => {
    const from = at("2026-10-25T00:59:57.500Z");
    expect(tickPlaces(from, from + 3_000, 1_000, "Europe/Berlin")).toHaveLength(3);
  });
});

it("the name of a file has the time of the zone and its offset, without a colon", () => {
  const fromMs = at("2026-07-15T10:03:09Z");
  expect(fileTime(fromMs, "Asia/Kolkata")).toBe("2026-07-15T15-33-09+0530");
  expect(fileTime(fromMs, "America/St_Johns")).toBe("2026-07-15T07-33-09-0230");
  expect(fileTime(fromMs, "UTC")).toBe("2026-07-15T10-03-09+0000");
});
