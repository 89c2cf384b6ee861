import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FIELD_RANGES, type Reading } from "../../../domain/equipment/reading.ts";
import type { AssetId } from "../../../domain/ids.ts";
import { traccar } from "../../../ingest/decoders/traccar/traccar.ts";
import { LastPositions } from "../../../ingest/forwarding/traccar/last-positions.ts";
import { placeOf, traccarMessage } from "../../../ingest/forwarding/traccar/position.ts";
import { assetEntry } from "../../support/fixed-directory.ts";
import { FIRST_FIX_MS, readingOf } from "../../support/readings.ts";

const { asset } = assetEntry("a1");
const context = { assetId: "a1" as AssetId, receivedAtMs: FIRST_FIX_MS };
/** Our decoder rounds to a millionth; twice, where two conversions meet. */
const ROUNDING = 1.1e-6;
const PLACE = { latitude: 52.5, longitude: 13.4 };

function message(reading: Reading, last = placeOf(reading)): string {
  if (last === undefined) throw new Error("this reading has no position");
  const receivedAtMs = FIRST_FIX_MS + 500;
  return traccarMessage(reading, { asset, projectId: "p1", receivedAtMs, name: "j:1:0", last });
}

const decoded = (text: string) => traccar.decode(Buffer.from(text), context).readings[0];

describe("traccarMessage", () => {
  it("traccarMessage writes every member that a Traccar server forwards, in its units", () => {
    const reading = readingOf({
      ...PLACE,
      altitude_meters: 34.5,
      accuracy_meters: 2.5,
      speed_kmh: 18.52,
      heading: 270,
      engine_on: 1,
      engine_hours: 8_376.2,
      odometer_km: 70_439.123,
      battery_percent: 53,
      battery_voltage: 27.8,
      fuel_level_percent: 63,
      engine_speed_rpm: 933,
      hdop: 0.9,
      satellites: 11,
      oil_pressure_kpa: 410,
      bucket_angle: 12.25,
      motion: 1,
    });
    const { position, device } = JSON.parse(message(reading));
    expect(position).toEqual({
      id: expect.any(Number),
      deviceId: expect.any(Number),
      type: null,
      protocol: "plumbline",
      serverTime: "2026-03-05T12:00:00.500+0000",
      deviceTime: "2026-03-05T12:00:00.000+0000",
      fixTime: "2026-03-05T12:00:00.000+0000",
      outdated: false,
      valid: true,
      latitude: 52.5,
      longitude: 13.4,
      altitude: 34.5,
      // 18.52 km/h are 10 knots.
      speed: 10,
      course: 270,
      address: null,
      accuracy: 2.5,
      network: null,
      attributes: {
        ignition: true,
        // 8,376.2 h x 3,600,000.
        hours: 30_154_320_000,
        odometer: 70_439_123,
        totalDistance: 70_439_123,
        batteryLevel: 53,
        power: 27.8,
        fuelLevel: 63,
        rpm: 933,
        hdop: 0.9,
        sat: 11,
        oil_pressure_kpa: 410,
        bucket_angle: 12.25,
        motion: true,
      },
    });
    expect(device).toEqual({
      id: position.deviceId,
      attributes: { asset_id: "a1", project_id: "p1" },
      groupId: expect.any(Number),
      name: "a1",
      uniqueId: "a1",
      status: "online",
      lastUpdate: "2026-03-05T12:00:00.500+0000",
      positionId: position.id,
      phone: null,
      model: null,
      contact: null,
      category: "excavator",
      disabled: false,
    });
  });

  it("traccarMessage gives numbers that stay the same, differ between assets and are exact in every reader", () => {
    const [first, second] = [readingOf(PLACE), readingOf(PLACE, FIRST_FIX_MS + 1)].map((reading) =>
      JSON.parse(message(reading)),
    );
    expect(first.position.deviceId).toBe(second.position.deviceId);
    const other = traccarMessage(readingOf(PLACE), {
      asset: assetEntry("a2").asset,
      projectId: "p1",
      receivedAtMs: 0,
      name: "j:1:1",
      last: { ...PLACE, fixTimeMs: 0, altitude: null, speed: null, course: null, accuracy: null },
    });
    const { position } = JSON.parse(other);
    expect(position.deviceId).not.toBe(first.position.deviceId);
    expect(position.id).not.toBe(first.position.id);
    for (const id of [position.id, position.deviceId]) {
      expect(id).toSatisfy((value: number) => Number.isSafeInteger(value) && value > 0);
    }
  });

  it("traccarMessage names a device by its hardware id where it has one", () => {
    const reading = readingOf(PLACE);
    const text = traccarMessage(reading, {
      asset: { ...asset, hardware_id: "356307042441013" },
      projectId: "p1",
      receivedAtMs: FIRST_FIX_MS,
      name: "j:1:0",
      last: placeOf(reading) as NonNullable<ReturnType<typeof placeOf>>,
    });
    expect(JSON.parse(text).device.uniqueId).toBe("356307042441013");
  });

  it("traccarMessage repeats the last position as outdated for a reading without one, which our decoder reads so", () => {
    const last = placeOf(readingOf({ ...PLACE, speed_kmh: 18.52, heading: 90 }));
    const text = message(readingOf({ engine_on: 1 }, FIRST_FIX_MS + 60_000), last);
    expect(JSON.parse(text).position).toMatchObject({
      outdated: true,
      fixTime: "2026-03-05T12:00:00.000+0000",
      deviceTime: "2026-03-05T12:01:00.000+0000",
      latitude: 52.5,
      longitude: 13.4,
      speed: 10,
      course: 90,
    });
    expect(decoded(text)).toMatchObject({
      deviceTimeMs: FIRST_FIX_MS + 60_000,
      fields: { engine_on: 1 },
    });
  });

  it("traccarMessage says what is historical and which fault codes are active in Traccar's words", () => {
    const faults = [
      { spn: 110, fmi: 0 },
      { spn: 520_192, fmi: 31, occurrence_count: 3 },
    ];
    const { attributes } = JSON.parse(
      message(readingOf(PLACE, FIRST_FIX_MS, { faults, isHistorical: true })),
    ).position;
    expect(attributes).toEqual({ archive: true, dtcs: "110/0 520192/31" });
  });

  it("traccarMessage keeps a device's own field from being read as one of Traccar's", () => {
    const { attributes } = JSON.parse(
      message(readingOf({ ...PLACE, hours: 5, ignition: 7 })),
    ).position;
    expect(attributes).toEqual({ own_hours: 5, own_ignition: 7 });
  });

  it("traccarMessage is read back by our own decoder with every field, to the format's resolution", () => {
    /** One ms of engine time in hours. An accuracy of 0 m is Traccar's "unknown", so it is not drawn. */
    const resolution: Readonly<Record<string, number>> = { engine_hours: 1 / 3_600_000 };
    const ranged = Object.keys(FIELD_RANGES).filter((name) => name !== "engine_on");
    const drawn: Record<string, fc.Arbitrary<number>> = {
      engine_on: fc.integer({ min: 0, max: 1 }),
      bucket_angle: fc.integer({ min: -1_000, max: 1_000 }),
    };
    for (const name of ranged) {
      const { min = 0, max = 0 } = FIELD_RANGES[name] ?? {};
      drawn[name] = fc.double({ min: name === "accuracy_meters" ? 0.1 : min, max, noNaN: true });
    }
    const values = fc
      .record(drawn, { requiredKeys: ["latitude", "longitude"] })
      // Every decoder takes 0, 0 for a receiver without a fix.
      .filter(({ latitude, longitude }) => latitude !== 0 || longitude !== 0);
    fc.assert(
      fc.property(values, fc.integer({ min: 0, max: 4e12 }), (fields, fixTimeMs) => {
        const sent = fields as Readonly<Record<string, number>>;
        const back = decoded(message(readingOf(sent, fixTimeMs)));
        const read = back?.fields ?? {};
        const names = new Set([...Object.keys(sent), ...Object.keys(read)]);
        const wrong = [...names].filter((name) => {
          const off = Math.abs((read[name] ?? Number.NaN) - (sent[name] ?? Number.NaN));
          return !(off <= (resolution[name] ?? 0) + ROUNDING);
        });
        expect({ timeMs: back?.deviceTimeMs, wrong }).toEqual({ timeMs: fixTimeMs, wrong: [] });
      }),
      { numRuns: 100, seed: 8 },
    );
  });
});

describe("LastPositions", () => {
  const at = (fixTimeMs: number) => ({
    ...PLACE,
    fixTimeMs,
    altitude: null,
    speed: null,
    course: null,
    accuracy: null,
  });
  const id = (n: number) => `a${n}` as AssetId;

  it("LastPositions knows the newest position that is not after a time", () => {
    const positions = new LastPositions();
    positions.note(id(1), at(5));
    positions.note(id(1), at(3));
    expect(positions.before(id(1), 5)).toEqual(at(5));
    expect(positions.before(id(1), 4)).toBeUndefined();
    expect(positions.before(id(2), 9)).toBeUndefined();
  });

  it("LastPositions forgets the asset that it has not heard of for longest", () => {
    const positions = new LastPositions(2);
    for (const n of [1, 2]) positions.note(id(n), at(1));
    positions.note(id(1), at(2));
    positions.note(id(3), at(1));
    expect([1, 2, 3].map((n) => positions.before(id(n), 9) !== undefined)).toEqual([
      true,
      false,
      true,
    ]);
  });
});
