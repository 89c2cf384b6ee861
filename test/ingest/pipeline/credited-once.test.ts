import { describe, expect, it } from "vitest";
import { offsetLocation } from "../../../domain/geodesy.ts";
import type { Reading } from "../../../domain/reading.ts";
import { readingAt } from "../../support/usage-day.ts";
import { figuresAfter } from "../../support/usage-grid.ts";

/** 10:00 of the day that counts. */
const FROM_S = 16 * 3_600;

/** A fix `s` after ten o'clock of a machine that drives at 36 km/h; `km`: what its odometer shows. */
const place = (s: number) => ({
  ...offsetLocation({ latitude: 52.5, longitude: 13.4 }, s * 10, 0),
  accuracy_meters: 5,
});
const km = (s: number) => 80_000 + s / 100;
const at = (s: number, fields: Readonly<Record<string, number>>) => readingAt(FROM_S + s, fields);

/** Work and its bounds of the day, seconds. */
function workOf(readings: readonly Reading[]) {
  const { working, overtime } = figuresAfter(readings);
  const sum = (of: (figure: typeof working) => number | null) =>
    (of(working) ?? Number.NaN) + (of(overtime) ?? Number.NaN);
  return { value: sum(({ value }) => value), lower: sum(({ lower }) => lower) };
}

describe("a machine that drives for an hour and says its place and its odometer in separate messages", () => {
  it.each([
    ["every 4 minutes each, 2 minutes apart", 240, 120],
    ["every 5 minutes each, 100 s apart", 300, 100],
    ["every 2 minutes each, 1 minute apart", 120, 60],
  ])("works for that hour and no longer: %s", (_, everyS, laterS) => {
    const readings = [at(0, { ...place(0), odometer_km: km(0) })];
    for (let s = 0; s < 3_600; s += everyS) {
      readings.push(at(s + laterS, { odometer_km: km(s + laterS) }));
      readings.push(at(s + everyS, place(s + everyS)));
    }
    expect(workOf(readings).value).toBe(3_600);
  });

  it("works no longer where it said with its odometer that its speed was 0", () => {
    const readings = [at(0, { ...place(0), odometer_km: km(0), speed_kmh: 0 })];
    for (let s = 0; s < 3_600; s += 240) {
      readings.push(at(s + 120, { odometer_km: km(s + 120), speed_kmh: 0 }));
      readings.push(at(s + 240, place(s + 240)));
    }
    const { value } = workOf(readings);
    expect(value).toBeGreaterThan(1_800);
    expect(value).toBeLessThanOrEqual(3_600);
  });

  it("has a least work that holds no way twice", () => {
    // 100 s at 140 km/h of each 4 minutes, by the odometer and by the next fix.
    const drivenM = (s: number) => 3_900 * Math.floor(s / 240) + 39 * Math.min(100, s % 240);
    const there = (s: number) => ({
      ...offsetLocation({ latitude: 52.5, longitude: 13.4 }, drivenM(s), 0),
      accuracy_meters: 5,
    });
    const meter = (s: number) => ({ odometer_km: 80_000 + drivenM(s) / 1_000 });
    const readings = [at(0, { ...there(0), ...meter(0) })];
    for (let s = 0; s < 3_600; s += 240) {
      readings.push(at(s + 200, meter(s + 200)), at(s + 240, there(s + 240)));
    }
    expect(workOf(readings).lower).toBeLessThanOrEqual(1_500);
  });
});

describe("a machine whose engine's state comes minutes after its first places behind a silence", () => {
  it.each([
    ["its engine's state", { engine_on: 1 }],
    ["its hour meter", { engine_hours: 5_001.05 }],
  ])("works no longer than the time that went by, until %s came", (_, said) => {
    const readings = [
      at(0, { ...place(0), engine_on: 1, engine_hours: 5_000 }),
      ...[3_600, 3_660, 3_720].map((s) => at(s, place(s))),
      at(3_780, said),
    ];
    expect(workOf(readings).value).toBeLessThanOrEqual(3_780);
  });
});
