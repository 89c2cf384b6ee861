import { describe, expect, it } from "vitest";
import { distanceM, offsetLocation } from "../../../domain/geodesy.ts";
import type { Reading } from "../../../domain/reading.ts";
import { readFleet, readingsOf } from "../../../ingest/iso15143/read-fleet.ts";
import { newAssetTrack } from "../../../ingest/pipeline/asset-track.ts";
import { sampleOf } from "../../../ingest/pipeline/timeline-sample.ts";
import { viewOf } from "../../../ingest/pipeline/track-view.ts";
import { usageTotals } from "../../../ingest/pipeline/usage-totals.ts";
import { foldWork } from "../../../ingest/pipeline/utilization.ts";
import { seededRandom } from "../../support/seeded-random.ts";
import { ASSET, PROJECT } from "../../support/timeline-run.ts";
import { readingAt } from "../../support/usage-day.ts";
import { CALENDAR, figuresAfter, gridOfSeed } from "../../support/usage-grid.ts";

/** The day that counts begins six hours after the first second of a simulated run. */
const DAY_S = 6 * 3_600;
const hourly = (fieldsAt: (hour: number) => Record<string, number>): readonly Reading[] =>
  Array.from({ length: 31 }, (_, hour) => readingAt(hour * 3_600, fieldsAt(hour)));

describe("a machine that reports every 1, 4, 6, 10 or 60 minutes, whatever it says", () => {
  it.each([
    1, 2, 3, 4,
  ])("has figures whose bounds hold the truth on day %i (40 devices)", (seed) => {
    const days = [...gridOfSeed(seed)];
    expect(days).toHaveLength(40);
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

  it("works as long as its hour meter says and comes as far as its odometer does", () => {
    const { working, overtime, engine_on, distance } = figuresAfter(hourly(meters));
    expect(engine_on).toMatchObject({ value: 36_000, basis: "meter", seen: 0 });
    expect(distance).toMatchObject({ value: 400_000, basis: "meter", seen: 0 });
    // 07:00 to 16:00 is the shift; the tenth hour is overtime.
    expect([working.value, overtime.value]).toEqual([32_400, 3_600]);
  });

  it("has null and a reason where nothing is known, and bounds that say so", () => {
    const { working, engine_on, distance } = figuresAfter(hourly(() => ({ battery_voltage: 24 })));
    for (const figure of [working, engine_on, distance]) {
      expect(figure).toMatchObject({ value: null, basis: "none", lower: 0 });
      expect(figure.reason).toBeDefined();
    }
    expect(engine_on.upper).toBe(86_400);
  });

  it("has an estimate from the engine's state at both ends of each hour, within 0 and all of it", () => {
    const on = (hour: number) => (hour >= 13 && hour <= 23 ? 1 : 0);
    const { engine_on } = figuresAfter(hourly((hour) => ({ engine_on: on(hour) })));
    expect(engine_on).toMatchObject({ value: 39_600, basis: "bridged", lower: 0, upper: 86_400 });
  });

  it("gains no hours in an outage over night because its engine ran before and after it", () => {
    const track = newAssetTrack(ASSET, PROJECT);
    for (const s of [0, 3_600, 18 * 3_600, 19 * 3_600]) {
      foldWork(track, sampleOf(readingAt(s, { engine_on: 1 })), CALENDAR);
    }
    expect(usageTotals(track).hours).toBe(2);
  });

  it("is not another one because its meter was replaced: no hours come from the jump", () => {
    const replaced = (hour: number) => ({ engine_hours: hour < 16 ? 5_000 : 12 });
    const { engine_on } = figuresAfter(hourly(replaced));
    expect(engine_on.value).toBe(0);
    expect(engine_on.upper).toBeGreaterThanOrEqual(3_600);
  });

  it("adds its hours to what maintenance counts by where it has no meter of its own", () => {
    const track = newAssetTrack(ASSET, PROJECT);
    for (const reading of hourly((hour) => ({ engine_on: hour >= 13 && hour <= 23 ? 1 : 0 }))) {
      foldWork(track, sampleOf(reading), CALENDAR);
    }
    expect(viewOf(track).engineHours).toEqual({ value: 11, source: "accumulated" });
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

  it("works the hours of its meter although every section has another time", () => {
    const { working, overtime, engine_on, distance } = figuresAfter(polled(undefined));
    expect(engine_on.basis).toBe("meter");
    expect(Math.abs((engine_on.value ?? 0) - 34_200)).toBeLessThan(400);
    expect(Math.abs((working.value ?? 0) + (overtime.value ?? 0) - 34_200)).toBeLessThan(400);
    expect(distance).toMatchObject({ basis: "meter" });
    expect(Math.abs((distance.value ?? 0) - 114_000)).toBeLessThanOrEqual(1_000);
  });

  it("works by the engine's state where it has no hour meter", () => {
    const { engine_on } = figuresAfter(polled(/<Cumul.*Hours>/));
    expect(engine_on.basis).toBe("bridged");
    expect(engine_on.value).toBeGreaterThan(30_000);
    expect(engine_on.upper).toBeGreaterThanOrEqual(34_200);
  });
});

describe("a bus whose way was half seen", () => {
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

  it("has the sum of its raw fixes within 5 %, and says which part was bridged", () => {
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
