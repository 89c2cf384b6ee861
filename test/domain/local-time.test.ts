import { describe, expect, it } from "vitest";
import { localDate, localDayAt, overlapMs, shiftSecondsElapsed } from "../../domain/local-time.ts";

const at = (iso: string) => Date.parse(iso);
const berlin = { time_zone: "Europe/Berlin", shift: { start: "07:00", end: "16:30" } };
const HOUR = 3_600_000;

describe("local days", () => {
  it("begin at local midnight, not at UTC midnight", () => {
    expect(localDate("Asia/Tokyo", at("2026-06-01T15:30:00Z"))).toBe("2026-06-02");
    expect(localDate("America/Los_Angeles", at("2026-06-01T06:30:00Z"))).toBe("2026-05-31");
  });

  it("local days are 23 h long in spring and 25 h in autumn where clocks change", () => {
    const spring = localDayAt(berlin, at("2026-03-29T12:00:00Z"));
    const autumn = localDayAt(berlin, at("2026-10-25T12:00:00Z"));
    expect((spring.endMs - spring.startMs) / HOUR).toBe(23);
    expect((autumn.endMs - autumn.startMs) / HOUR).toBe(25);
  });

  it("local days belong to the calendar that asks, also right after another one asked", () => {
    const atMs = at("2026-06-01T23:30:00Z");
    expect(localDayAt({ ...berlin, time_zone: "UTC" }, atMs).day).toBe("2026-06-01");
    expect(localDayAt(berlin, atMs).day).toBe("2026-06-02");
  });

  it("local days hold their own midnight and not the next one", () => {
    const day = localDayAt(berlin, at("2026-06-01T12:00:00Z"));
    expect(localDayAt(berlin, day.startMs).day).toBe("2026-06-01");
    expect(localDayAt(berlin, day.endMs).day).toBe("2026-06-02");
  });
});

describe("shifts", () => {
  it("shifts count nothing before they start, and stop counting when they end", () => {
    expect(shiftSecondsElapsed(berlin, at("2026-06-01T04:59:00Z"))).toBe(0);
    expect(shiftSecondsElapsed(berlin, at("2026-06-01T06:00:00Z"))).toBe(3600);
    expect(shiftSecondsElapsed(berlin, at("2026-06-01T20:00:00Z"))).toBe(9.5 * 3600);
  });

  it("shifts of the night lie at both ends of the calendar day", () => {
    const night = { time_zone: "UTC", shift: { start: "22:00", end: "06:00" } };
    const day = localDayAt(night, at("2026-06-01T12:00:00Z"));
    expect(day.shift).toEqual([
      { startMs: at("2026-06-01T00:00:00Z"), endMs: at("2026-06-01T06:00:00Z") },
      { startMs: at("2026-06-01T22:00:00Z"), endMs: at("2026-06-02T00:00:00Z") },
    ]);
    expect(shiftSecondsElapsed(night, at("2026-06-01T23:00:00Z"))).toBe(7 * 3600);
  });

  it("shifts from 00:00 to 24:00 are the whole day, 23 h where an hour is skipped", () => {
    const whole = { time_zone: "Europe/Berlin", shift: { start: "00:00", end: "24:00" } };
    const day = localDayAt(whole, at("2026-03-29T12:00:00Z"));
    expect(overlapMs(day.shift, 0, Number.MAX_SAFE_INTEGER) / HOUR).toBe(23);
  });
});
