import { describe, expect, it } from "vitest";
import type { Reading } from "../../../domain/equipment/reading.ts";
import { distanceM, offsetLocation } from "../../../domain/geodesy.ts";
import { dayFigures } from "../../../ingest/asset-state/day-figures.ts";
import { viewOf } from "../../../ingest/asset-state/track-view.ts";
import { readFleet, readingsOf } from "../../../ingest/iso15143/read-fleet.ts";
import { newAssetTrack } from "../../../ingest/track/asset-track.ts";
import { newDayUsage, packUsage, unpackUsage } from "../../../ingest/track/day-usage.ts";
import { sampleOf } from "../../../ingest/track/timeline-sample.ts";
import { packTrack, unpackTrack } from "../../../ingest/track/track-codec.ts";
import { usageTotals } from "../../../ingest/utilization/usage-totals.ts";
import { foldWork } from "../../../ingest/utilization/utilization.ts";
import { seededRandom } from "../../support/seeded-random.ts";
import { someOf } from "../../support/some-of.ts";
import { ASSET, PROJECT } from "../../support/timeline-run.ts";
import { readingAt } from "../../support/usage-day.ts";
import { CALENDAR, figuresAfter, gridOfSeed } from "../../support/usage-grid.ts";

/** The day that counts begins six hours after the first second of a simulated run. */
const DAY_S = 6 * 3_600;
const hourly = (fieldsAt: (hour: number) => Record<string, number>): readonly Reading[] =>
  Array.from({ length: 31 }, (_, hour) => readingAt(hour * 3_600, fieldsAt(hour)));

describe("a machine that reports every 1, 4, 6, 10 or 60 minutes, whatever it says", () => {
  it.each(
    someOf([1, 2, 3, 4]),
  )("a machine that reports every 1 to 60 minutes has figures whose bounds hold the truth on day %i (50 devices)", (seed) => {
    const days = [...gridOfSeed(seed)];
    expect(days).toHaveLength(50);
    expect(days.flatMap(({ name, faults }) => faults.map((fault) => `${name}: ${fault}`))).toEqual(
      [],
    );
  });
});

describe("a machine that reports once an hour", () => {
  const meters = (hour: number) => {
    const worked = Math.min(10, Math.max(0, hour - 13));
    return { engine_hours: 5_000 + worked, odometer_km: 90_000 + 40 * worked };
  };

  it("a machine that reports once an hour works as long as its hour meter says and comes as far as its odometer does", () => {
    const { working, overtime, engine_on, distance } = figuresAfter(hourly(meters));
    expect(engine_on).toMatchObject({ value: 36_000, basis: "meter", seen: 0 });
    expect(distance).toMatchObject({ value: 400_000, basis: "meter", seen: 0 });
    // 07:00 to 16:00 is the shift; the tenth hour is overtime.
    expect([working.value, overtime.value]).toEqual([32_400, 3_600]);
  });

  it("a machine that reports once an hour has null and a reason where nothing is known, and bounds that say so", () => {
    const { working, engine_on, distance } = figuresAfter(hourly(() => ({ battery_voltage: 24 })));
    for (const figure of [working, engine_on, distance]) {
      expect(figure).toMatchObject({ value: null, basis: "none", lower: 0 });
      expect(figure.reason).toBeDefined();
    }
    expect(engine_on.upper).toBe(86_400);
  });

  it("a machine that reports once an hour has an estimate from the engine's state at both ends of each hour, within 0 and all of it", () => {
    const on = (hour: number) => (hour >= 13 && hour <= 23 ? 1 : 0);
    const { engine_on } = figuresAfter(hourly((hour) => ({ engine_on: on(hour) })));
    expect(engine_on).toMatchObject({ value: 39_600, basis: "bridged", lower: 0, upper: 86_400 });
  });

  it("a machine that reports once an hour gains no hours in an outage over night because its engine ran before and after it", () => {
    const track = newAssetTrack(ASSET, PROJECT);
    for (const s of [0, 3_600, 18 * 3_600, 19 * 3_600]) {
      foldWork(track, sampleOf(readingAt(s, { engine_on: 1 })), CALENDAR);
    }
    expect(usageTotals(track).hours).toBe(2);
  });

  it("a machine that reports once an hour is not another one because its meter was replaced: no hours come from the jump", () => {
    const replaced = (hour: number) => ({ engine_hours: hour < 16 ? 5_000 : 12 });
    const { engine_on } = figuresAfter(hourly(replaced));
    expect(engine_on.value).toBe(0);
    expect(engine_on.upper).toBeGreaterThanOrEqual(3_600);
  });

  it.each([
    ["sent fuel only", [0, 3_600], { fuel_level_percent: 60 }],
    ["said once that its engine runs", [0], { engine_on: 1 }],
    ["said so every 4 hours", [0, 14_400, 28_800], { engine_on: 1 }],
  ])("a machine that reports once an hour has no sum of hours where it %s", (_, seconds, fields) => {
    const track = newAssetTrack(ASSET, PROJECT);
    for (const s of seconds) foldWork(track, sampleOf(readingAt(s, fields)), CALENDAR);
    expect(viewOf(track).engineHours).toBeUndefined();
    expect(usageTotals(track)).toMatchObject({ knowsHours: false, knowsKm: false });
    expect(viewOf(track).maintenance.meters.hours.isSummed).toBe(false);
  });

  it("a machine that reports once an hour has a sum of 0 hours where its engine was off, also after those days are closed and stored", () => {
    const track = newAssetTrack(ASSET, PROJECT);
    for (const s of [0, 60]) foldWork(track, sampleOf(readingAt(s, { engine_on: 0 })), CALENDAR);
    for (let hour = 1; hour < 144; hour += 1) {
      foldWork(track, sampleOf(readingAt(hour * 3_600, { battery_voltage: 24 })), CALENDAR);
    }
    expect(track.hasClosedDays).toBe(true);
    const loaded = unpackTrack(ASSET, packTrack(track)) ?? newAssetTrack(ASSET, PROJECT);
    expect(viewOf(loaded).engineHours).toEqual({ value: 0, source: "accumulated" });
    expect(usageTotals(loaded).knowsKm).toBe(false);
  });

  it("a machine that reports once an hour adds its hours to what maintenance counts by where it has no meter of its own", () => {
    const track = newAssetTrack(ASSET, PROJECT);
    for (const reading of hourly((hour) => ({ engine_on: hour >= 13 && hour <= 23 ? 1 : 0 }))) {
      foldWork(track, sampleOf(reading), CALENDAR);
    }
    expect(viewOf(track).engineHours).toEqual({ value: 11, source: "accumulated" });
  });
});

describe("bounds of a state that is said every few minutes", () => {
  it.each(
    someOf([70_004, 70_016]),
  )("bounds of a state that is said every few minutes hold work that began and ended unheard, on day %i", (seed) => {
    const faults = [...gridOfSeed(seed)].flatMap((day) => day.faults);
    expect(faults).toEqual([]);
  });

  /** The engine is off in every reading, `s` apart, from midnight to midnight. */
  const parked = (s: number) =>
    figuresAfter(
      Array.from({ length: 1 + (31 * 3_600) / s }, (_, i) => readingAt(i * s, { engine_on: 0 })),
    );

  it("bounds of a state that is said every few minutes are all of the time where it is said every 4 minutes, and 1 s a minute where it is every minute", () => {
    expect(parked(240).engine_on).toMatchObject({ value: 0, lower: 0, upper: 86_400 });
    expect(parked(60).engine_on).toMatchObject({ value: 0, lower: 0, upper: 1_440 });
    expect(parked(10).engine_on.upper).toBeLessThan(300);
  });

  it("bounds of a state that is said every few minutes are all of the time too where positions come every 10 s and the state every 4 minutes", () => {
    const readings = Array.from({ length: 31 * 360 }, (_, i) =>
      readingAt(i * 10, {
        ...{ latitude: 52.5, longitude: 13.4, accuracy_meters: 5 },
        ...(i % 24 === 0 ? { engine_on: 0 } : {}),
      }),
    );
    expect(figuresAfter(readings).engine_on.upper).toBeGreaterThan(0.6 * 86_400);
  });
});

describe("a machine that is stationary in every reading, once an hour, while its meters rise", () => {
  const HERE = { latitude: 52.5, longitude: 13.4, accuracy_meters: 5 };
  /** From 07:00 to 17:00. */
  const worked = (hour: number) => Math.min(10, Math.max(0, hour - 13));
  const odometer = (hour: number) => ({ odometer_km: 90_000 + 40 * worked(hour) });
  /** 400 km at 150 km/h, less a kilometre an hour by which the meter may be off: 10 x 39 / 150 h. */
  const LEAST_S = 9_360;
  const workOf = (readings: readonly Reading[]) => {
    const { working, overtime } = figuresAfter(readings);
    const sum = (of: (figure: typeof working) => number | null) =>
      (of(working) ?? Number.NaN) + (of(overtime) ?? Number.NaN);
    return { working, value: sum(({ value }) => value), lower: sum(({ lower }) => lower) };
  };

  it("a machine that is stationary in every reading, once an hour, while its meters rise has no working time of 0 by its hour meter, but none, with the reason and bounds", () => {
    const { working, overtime, engine_on } = figuresAfter(
      hourly((hour) => ({ speed_kmh: 0, engine_hours: 5_000 + worked(hour) })),
    );
    expect(engine_on).toMatchObject({ value: 36_000, basis: "meter" });
    expect(working).toMatchObject({ value: null, basis: "none", lower: 0, upper: 32_400 });
    expect(overtime.value).toBeNull();
    expect(working.reason).toBe(
      "it did not work in any reading, but its engine ran for 600 min between them",
    );
  });

  it("the working time is 0 by the hour meter where that did not rise either", () => {
    const { working } = figuresAfter(hourly(() => ({ speed_kmh: 0, engine_hours: 5_000.25 })));
    expect(working).toMatchObject({ value: 0, basis: "meter", seen: 0 });
    // A step of 0.05 h, of the meter's reading before the day and of the last one in it.
    expect(working.upper).toBeLessThanOrEqual(360);
  });

  it.each([
    [
      "engine on and speed 0",
      (hour: number) => ({ ...odometer(hour), engine_on: 1, speed_kmh: 0 }),
    ],
    ["a position that returns to its place", (hour: number) => ({ ...HERE, ...odometer(hour) })],
    ["no position", odometer],
    ["a trip counter only", (hour: number) => ({ ...HERE, trip_odometer_km: 40 * worked(hour) })],
  ])("a machine worked as long as its odometer's distance takes, with %s", (_, fieldsAt) => {
    const { working, value, lower } = workOf(hourly(fieldsAt));
    expect(working.basis).toBe("bridged");
    // At 25 km/h 40 km take longer than the hour.
    expect(value).toBe(36_000);
    expect(lower).toBe(LEAST_S);
  });

  it("a machine that is stationary in every reading, once an hour, while its meters rise worked 4 minutes of each hour where its odometer rose by 1.7 km", () => {
    const { value } = workOf(hourly((hour) => ({ odometer_km: 90_000 + 1.7 * worked(hour) })));
    expect(Math.abs(value - (17 / 25) * 3_600)).toBeLessThan(10);
  });

  it("a machine that is stationary in every reading, once an hour, while its meters rise has no work by a meter that was replaced", () => {
    const { working } = figuresAfter(
      hourly((hour) => ({ ...HERE, odometer_km: hour < 16 ? 90_000 : 12 })),
    );
    expect(working).toMatchObject({ value: 0, lower: 0, basis: "bridged" });
  });
});

describe("a machine whose positions alone are known, once an hour", () => {
  it("a machine worked as long as its distance of 1.1 km an hour takes at 10 km/h, and not all day", () => {
    const { working, overtime } = figuresAfter(
      hourly((hour) => ({
        latitude: 52.5 + 0.01 * (hour % 2),
        longitude: 13.4,
        accuracy_meters: 5,
      })),
    );
    const hours = ((working.value ?? 0) + (overtime.value ?? 0)) / 3_600;
    expect(hours).toBeGreaterThan((24 * 1.1) / 10 - 0.1);
    expect(hours).toBeLessThan((24 * 1.12) / 10 + 0.1);
    expect(overtime.upper).toBe(54_000);
  });
});

describe("the reason of a figure that is not known", () => {
  it("the reason of a figure that is not known says that the engine's state was said once, or too seldom, and not that it never was", () => {
    const at = (hours: readonly number[]) =>
      figuresAfter(
        Array.from({ length: 31 }, (_, hour) =>
          readingAt(
            hour * 3_600,
            hours.includes(hour) ? { engine_on: 1 } : { battery_voltage: 24 },
          ),
        ),
      ).engine_on;
    expect(at([])).toMatchObject({
      value: null,
      reason: "no reading of the day said whether the engine ran",
    });
    expect(at([12])).toMatchObject({
      value: null,
      reason: "only one reading of the day said whether the engine ran",
    });
    expect(at([8, 12, 16, 20, 24, 28]).reason).toMatch(/too far apart .*150 min/);
  });

  it("the reason of a figure that is not known does not claim of a day that was stored before readings were counted what it cannot know", () => {
    const packed = packUsage(newDayUsage()).slice(0, -3);
    const usage = unpackUsage(packed);
    const totals = {
      day: "2026-06-02",
      workingS: 0,
      overtimeS: 0,
      engineOnS: 0,
      distanceM: 0,
      usage,
    };
    const { engine_on } = dayFigures(totals, { ms: 86_400_000, shiftMs: 32_400_000 });
    expect(engine_on.reason).toBe("what was reported does not cover any time of the day");
  });
});

describe("a machine whose odometer and positions come in messages of their own", () => {
  /** Straight on at 24 km/h from 08:00 to 09:00; before and after it is stationary. */
  const drivenS = (s: number) => Math.min(3_600, Math.max(0, s - DAY_S - 8 * 3_600));
  const wayM = (s: number) => (drivenS(s) / 3.6) * 24;
  const position = (s: number) =>
    readingAt(s, {
      ...offsetLocation({ latitude: 52.5, longitude: 13.4 }, wayM(s), 0),
      accuracy_meters: 5,
    });
  const odometer = (s: number) => ({ odometer_km: 9_000 + Math.floor(wayM(s)) / 1_000 });

  it.each([
    ["and nothing else", 120, 60, {}],
    ["one second apart", 120, 1, {}],
    ["one second before the next odometer", 120, 119, {}],
    ["every 4 minutes", 240, 100, {}],
    ["and a speed of 0 beside the odometer", 240, 100, { speed_kmh: 0 }],
  ])("a machine whose odometer and positions come in messages of their own works as long as it moves and no second twice, %s", (_, everyS, laterS, beside) => {
    const readings = Array.from({ length: (31 * 3_600) / everyS }, (_, i) => [
      readingAt(i * everyS, { ...odometer(i * everyS), ...beside }),
      position(i * everyS + laterS),
    ]).flat();
    const { working, overtime, distance } = figuresAfter(readings);
    expect(Math.abs((working.value ?? 0) - 3_600)).toBeLessThanOrEqual(2 * everyS);
    expect(overtime.value).toBe(0);
    expect(working.upper).toBeGreaterThanOrEqual(3_600);
    expect(working.lower).toBeLessThanOrEqual(3_600);
    expect(Math.abs((distance.value ?? 0) - 24_000)).toBeLessThan(500);
  });
});

describe("a machine that is polled over ISO 15143-3 once an hour", () => {
  const iso = (s: number) => new Date(readingAt(s, {}).fixTimeMs).toISOString();
  /** Each section has a time of its own, as servers of makers have it. */
  const snapshot = (hour: number) => {
    const s = hour * 3_600;
    const worked = Math.min(9.5, Math.max(0, hour - 13));
    const isRunning = hour > 13 && hour <= 22;
    return `<Fleet version="1" snapshotTime="${iso(s)}"><Equipment>
      <EquipmentHeader><OEMName>BELL</OEMName><SerialNumber>1</SerialNumber></EquipmentHeader>
      <Location datetime="${iso(s - 700)}"><Latitude>52.5</Latitude><Longitude>13.4</Longitude></Location>
      <CumulativeOperatingHours datetime="${iso(s)}"><Hour>${(8_376.2 + worked).toFixed(2)}</Hour></CumulativeOperatingHours>
      <Distance datetime="${iso(s - 30)}"><OdometerUnits>kilometre</OdometerUnits><Odometer>${70_439 + Math.round(12 * worked)}</Odometer></Distance>
      <EngineStatus datetime="${iso(s - 240)}"><EngineNumber>1</EngineNumber><Running>${isRunning}</Running></EngineStatus>
      </Equipment></Fleet>`;
  };
  const polled = (without: RegExp | undefined) =>
    Array.from({ length: 31 }, (_, hour) => {
      const body = without === undefined ? snapshot(hour) : snapshot(hour).replace(without, "");
      const [machine] = readFleet(new TextEncoder().encode(body)).machines;
      return readingsOf(machine?.sections ?? []).map(({ deviceTimeMs = 0, fields }) => ({
        ...readingAt(0, fields),
        fixTimeMs: deviceTimeMs,
      }));
    }).flat();

  it("a machine that is polled over ISO 15143-3 once an hour works the hours of its meter although every section has another time", () => {
    const { working, overtime, engine_on, distance } = figuresAfter(polled(undefined));
    expect(engine_on.basis).toBe("meter");
    expect(Math.abs((engine_on.value ?? 0) - 34_200)).toBeLessThan(400);
    expect(Math.abs((working.value ?? 0) + (overtime.value ?? 0) - 34_200)).toBeLessThan(400);
    expect(distance).toMatchObject({ basis: "meter" });
    expect(Math.abs((distance.value ?? 0) - 114_000)).toBeLessThanOrEqual(1_000);
  });

  it("a machine that is polled over ISO 15143-3 once an hour works by the engine's state where it has no hour meter", () => {
    const { engine_on } = figuresAfter(polled(/<Cumul.*Hours>/));
    expect(engine_on.basis).toBe("bridged");
    expect(engine_on.value).toBeGreaterThan(30_000);
    expect(engine_on.upper).toBeGreaterThanOrEqual(34_200);
  });
});

describe("a bus whose path was half seen", () => {
  /** 30 s apart in service, with silences of 6 to 9 min in which it drives on as fast. */
  function route() {
    const random = seededRandom(11);
    const fixes: Reading[] = [];
    let [s, eastM, northM, heading] = [DAY_S + 6 * 3_600, 0, 0, 0.4];
    while (s < DAY_S + 20 * 3_600) {
      const isSilent = fixes.length % 16 === 15;
      const gapS = isSilent ? 360 + Math.floor(random() * 180) : 30;
      heading += (random() - 0.5) * 0.3;
      eastM += gapS * 8 * Math.sin(heading);
      northM += gapS * 8 * Math.cos(heading);
      s += gapS;
      const at = offsetLocation({ latitude: 52.5, longitude: 13.4 }, eastM, northM);
      fixes.push(readingAt(s, { ...at, accuracy_meters: 5 }));
    }
    return fixes;
  }

  it("a bus whose path was half seen has the sum of its raw fixes within 5 %, and says which part was bridged", () => {
    const fixes = route();
    let raw = 0;
    let dense = 0;
    fixes.slice(1).forEach((fix, i) => {
      const before = fixes[i];
      if (before === undefined) return;
      const meters = distanceM(locationOf(before), locationOf(fix));
      raw += meters;
      if (fix.fixTimeMs - before.fixTimeMs <= 300_000) dense += meters;
    });
    const { distance } = figuresAfter(fixes);
    expect(dense / raw).toBeLessThan(0.55);
    expect(Math.abs((distance.value ?? 0) / raw - 1)).toBeLessThan(0.05);
    expect(Math.abs(distance.parts.observed / dense - 1)).toBeLessThan(0.035);
    expect(Math.abs(distance.parts.bridged / (raw - dense) - 1)).toBeLessThan(0.01);
    expect(distance.lower).toBeLessThan(raw);
    expect(distance.upper).toBeGreaterThan(raw);
  });
});

const locationOf = ({ fields }: Reading) => ({
  latitude: fields["latitude"] ?? 0,
  longitude: fields["longitude"] ?? 0,
});
