import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Reading } from "../../../domain/equipment/reading.ts";
import { offsetLocation } from "../../../domain/geodesy.ts";
import { newAssetTrack } from "../../../ingest/track/asset-track.ts";
import { sampleOf } from "../../../ingest/track/timeline-sample.ts";
import { foldWork } from "../../../ingest/utilization/utilization.ts";
import { countOf } from "../../support/some-of.ts";
import { ASSET, PROJECT } from "../../support/timeline-run.ts";
import { readingAt } from "../../support/usage-day.ts";
import { CALENDAR, figuresAfter } from "../../support/usage-grid.ts";

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
  ])("a machine that drives for an hour and says its place and its odometer in separate messages works for that hour and no longer: %s", (_, everyS, laterS) => {
    const readings = [at(0, { ...place(0), odometer_km: km(0) })];
    for (let s = 0; s < 3_600; s += everyS) {
      readings.push(at(s + laterS, { odometer_km: km(s + laterS) }));
      readings.push(at(s + everyS, place(s + everyS)));
    }
    expect(workOf(readings).value).toBe(3_600);
  });

  it("a machine that drives for an hour and says its place and its odometer in separate messages works no longer where it said with its odometer that its speed was 0", () => {
    const readings = [at(0, { ...place(0), odometer_km: km(0), speed_kmh: 0 })];
    for (let s = 0; s < 3_600; s += 240) {
      readings.push(at(s + 120, { odometer_km: km(s + 120), speed_kmh: 0 }));
      readings.push(at(s + 240, place(s + 240)));
    }
    const { value } = workOf(readings);
    expect(value).toBeGreaterThan(1_800);
    expect(value).toBeLessThanOrEqual(3_600);
  });

  it("the least work counts no distance twice", () => {
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
  ])("a machine whose engine's state comes minutes after its first places behind a silence works no longer than the time that went by, until %s came", (_, said) => {
    const readings = [
      at(0, { ...place(0), engine_on: 1, engine_hours: 5_000 }),
      ...[3_600, 3_660, 3_720].map((s) => at(s, place(s))),
      at(3_780, said),
    ];
    expect(workOf(readings).value).toBeLessThanOrEqual(3_780);
  });
});

describe("a machine that moves until midnight, and whose hour meter comes after it", () => {
  const MIDNIGHT_S = 14 * 3_600;
  const moments = {
    place: (s: number) => place(s),
    odometer: (s: number) => ({ odometer_km: Math.floor(km(s)) }),
    hours: (s: number) => ({ engine_hours: Math.floor(5_000 + s / 3_600) }),
    on: () => ({ engine_on: 1 }),
    speed: () => ({ speed_kmh: 36 }),
  } as const;
  type Said = keyof typeof moments;

  it.each<[string, readonly (readonly [secondsToMidnight: number, ...says: Said[]])[]]>([
    [
      "its places came behind a silence",
      [
        [-10_375, "hours", "on"],
        [-10_308, "on"],
        [-5_261, "on"],
        [-193, "place", "odometer"],
        [-7, "place"],
        [1, "hours", "on"],
      ],
    ],
    [
      "the place after midnight was waited for",
      [
        [-15_751, "on"],
        [-15_671, "speed"],
        [-15_365, "odometer"],
        [-15_150, "speed"],
        [-14_848, "speed"],
        [-7_757, "on"],
        [-893, "odometer", "hours"],
        [-744, "odometer"],
        [-558, "on"],
        [-276, "place", "hours"],
        [-57, "odometer"],
        [0, "odometer"],
        [1, "place"],
        [2, "hours", "on"],
      ],
    ],
  ])("works no longer on the day before than it lasted: %s", (_, messages) => {
    const readings = messages.map(([toMidnightS, ...says]) => {
      const s = MIDNIGHT_S + toMidnightS;
      return at(s, Object.assign({}, ...says.map((said) => moments[said](s))));
    });
    const [first] = messages;
    expect(workOf(readings).value).toBeLessThanOrEqual(-(first?.[0] ?? 0));
  });
});

describe("a machine that works for ten hours and says each thing in a message of its own, every 10 minutes", () => {
  it("works no longer than its hour meter of whole hours shows", () => {
    const readings: Reading[] = [];
    for (let s = 0; s < 10 * 3_600; s += 600) {
      readings.push(at(s, place(0)), at(s + 150, { odometer_km: 80_000 }));
      readings.push(at(s + 300, { engine_hours: 5_000 + Math.floor((s + 300) / 3_600) }));
      readings.push(at(s + 450, { engine_on: 1 }));
    }
    const { value } = workOf(readings);
    expect(value).toBeLessThanOrEqual(36_000);
    expect(value).toBeGreaterThan(32_400);
  });
});

describe("a machine that says its engine's state every minute and its place every 15 s between", () => {
  /** Every 5 minutes its engine runs from 2 s before it says so to 2 s after it said so last, or the reverse. */
  const engineOf = (saysOn: (minute: number) => boolean) =>
    figuresAfter(
      Array.from({ length: 31 * 240 }, (_, i) =>
        readingAt(
          i * 15,
          i % 4 > 0 ? place(0) : { engine_on: Number(i * 15 >= FROM_S && saysOn((i / 4) % 5)) },
        ),
      ),
    ).engine_on;
  const CYCLES = (30 - 16) * 12;

  it("a machine that says its engine's state every minute and its place every 15 s between has bounds that hold an engine that stopped soon after it was said to run", () => {
    expect(engineOf((minute) => minute < 3).lower).toBeLessThanOrEqual(CYCLES * 124);
  });

  it("bounds hold for an engine that started soon after it was reported off", () => {
    expect(engineOf((minute) => minute >= 3).upper).toBeGreaterThanOrEqual(CYCLES * (300 - 124));
  });
});

describe("a machine that says its odometer and its place every 6 minutes, 3 minutes apart", () => {
  it("the machine works as long as its odometer's distance takes, also where it waited for a place in vain", () => {
    const readings = [at(0, { ...place(0), odometer_km: km(0) })];
    for (let s = 0; s < 3_600; s += 360) {
      readings.push(at(s + 180, { odometer_km: km(s + 180) }), at(s + 360, place(s + 360)));
    }
    const { value } = workOf(readings);
    // At 36 km/h its distance takes longer than the time between at 25 km/h; the last odometer is 3 minutes old.
    expect(value).toBeGreaterThanOrEqual(3_240);
    expect(value).toBeLessThanOrEqual(3_600);
  });
});

describe("a machine that drives all the time, says so, and says anything in any message", () => {
  const message = fc.record({
    afterS: fc.oneof(
      { weight: 5, arbitrary: fc.integer({ min: 1, max: 400 }) },
      { weight: 1, arbitrary: fc.integer({ min: 400, max: 8_000 }) },
    ),
    says: fc.subarray(["place", "odometer", "trip", "hours", "on", "speed"], {
      minLength: 1,
      maxLength: 3,
    }),
    isReplaced: fc.boolean(),
  });

  const messageLists = fc.array(message, { minLength: 3, maxLength: 80 });
  /** Of its meters, in a unit. */
  const steps = fc.constantFrom(1, 10, 20, 100);
  /** Before the first message: the later ones come just before midnight. */
  const startsS = fc.constantFrom(0, 14_000, 20_000);

  it("neither works nor runs longer than the time that went by, on no day and not in all", () => {
    fc.assert(
      fc.property(messageLists, steps, startsS, (messages, step, startS) => {
        const track = newAssetTrack(ASSET, PROJECT);
        let s = startS;
        let offset = 0;
        messages.forEach(({ afterS, says, isReplaced }, i) => {
          s += afterS;
          if (isReplaced && i % 16 === 15) offset = -s;
          const shown = (value: number) => Math.floor(value * step) / step;
          const fields: Record<string, number> = { battery_voltage: 24 };
          if (says.includes("place")) Object.assign(fields, place(s));
          if (says.includes("odometer")) fields["odometer_km"] = shown(80_000 + (s + offset) / 100);
          if (says.includes("trip")) fields["trip_odometer_km"] = shown((s + offset) / 100);
          if (says.includes("hours")) fields["engine_hours"] = shown(5_000 + (s + offset) / 3_600);
          if (says.includes("on")) fields["engine_on"] = 1;
          if (says.includes("speed")) fields["speed_kmh"] = 36;
          foldWork(track, sampleOf(readingAt(s, fields)), CALENDAR);
        });
        const firstMs = readingAt(startS + (messages[0]?.afterS ?? 0), {}).fixTimeMs;
        const lastMs = readingAt(s, {}).fixTimeMs;
        for (const day of track.days) {
          const elapsedMs =
            Math.min(lastMs, day.startMs + 86_400_000) - Math.max(firstMs, day.startMs);
          // Shares of an estimate are whole ms.
          const roundingMs = messages.length;
          expect(day.workingMs + day.overtimeMs).toBeLessThanOrEqual(elapsedMs + roundingMs);
          expect(day.engineOnMs).toBeLessThanOrEqual(elapsedMs + roundingMs);
          expect(Math.min(day.workingMs, day.overtimeMs, day.engineOnMs)).toBeGreaterThanOrEqual(
            -roundingMs,
          );
        }
      }),
      { numRuns: countOf({ all: 1_500, some: 400 }) },
    );
  });
});

describe("a machine that drives for ten hours and says its place and its hour meter in separate messages", () => {
  it("works as long as it drives, also where its meter counts in tenths", () => {
    const readings: Reading[] = [];
    for (let s = 0; s <= 36_000; s += 60) {
      readings.push(at(s, place(s)));
      const hours = Math.floor((5_000 + (s + 30) / 3_600) * 10) / 10;
      readings.push(at(s + 30, { engine_hours: hours }));
    }
    const { value } = workOf(readings);
    expect(value).toBeGreaterThan(35_000);
    expect(value).toBeLessThanOrEqual(36_030);
  });
});
