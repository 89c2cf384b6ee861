import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DomainError } from "../../../../domain/errors.ts";
import type { AssetId } from "../../../../domain/ids.ts";
import { owntracks } from "../../../../ingest/decoders/owntracks/owntracks.ts";

const decodeAt = (receivedAtMs: number, message: unknown) =>
  owntracks.decode(Buffer.from(JSON.stringify(message)), {
    assetId: "a1" as AssetId,
    receivedAtMs,
  });
const decode = (message: unknown) => decodeAt(0, message);
const location = (fields: object) => ({
  _type: "location",
  lat: 1.5,
  lon: 2.5,
  tst: 10,
  ...fields,
});

describe("owntracks decoder", () => {
  it("the owntracks decoder decodes a retained location that comes again an hour later to the identical reading", () => {
    const retained = location({ vel: 12, batt: 46, created_at: 99 });

    const again = decodeAt(3_600_000, retained);

    expect(again).toStrictEqual(decodeAt(0, retained));
    expect(again.readings).toMatchObject([{ deviceTimeMs: 10_000 }]);
  });

  it.each([
    "beacon",
    "card",
    "cmd",
    "configuration",
    "dump",
    "request",
    "status",
    "steps",
    "waypoint",
    "waypoints",
  ])("the owntracks decoder ignores and counts %s, whatever is in it", (type) => {
    const message = { _type: type, lat: 1.5, lon: 2.5, tst: 10, waypoints: [], steps: -1 };

    expect(decode(message)).toStrictEqual({ readings: [], notices: [], ignored: 1 });
  });

  it("the owntracks decoder takes fractions of a second of a gateway's tst to the millisecond", () => {
    expect(decode(location({ tst: 1551874878.1236 })).readings).toMatchObject([
      { deviceTimeMs: 1_551_874_878_124 },
    ]);
  });

  it.each([
    ["batt", "battery_percent"],
    ["cog", "heading"],
    ["vac", "vertical_accuracy_meters"],
    ["vel", "speed_kmh"],
  ])("the owntracks decoder says nothing of %s below zero or absent, and 0 when the app says 0", (name, field) => {
    const fieldsOf = (given: object) => decode(location(given)).readings[0]?.fields;

    expect(fieldsOf({ [name]: -3 })).toStrictEqual({ latitude: 1.5, longitude: 2.5 });
    expect(fieldsOf({})).toStrictEqual({ latitude: 1.5, longitude: 2.5 });
    expect(fieldsOf({ [name]: 0 })).toStrictEqual({ latitude: 1.5, longitude: 2.5, [field]: 0 });
  });

  it("the owntracks decoder takes acc as it is when 0, and says nothing of it when absent", () => {
    expect(decode(location({ acc: 0 })).readings[0]?.fields).toHaveProperty("accuracy_meters", 0);
    expect(decode(location({})).readings[0]?.fields).not.toHaveProperty("accuracy_meters");
  });

  it("the owntracks decoder keeps a fix on the equator or on the prime meridian", () => {
    expect(decode(location({ lat: 0 })).readings[0]?.fields).toMatchObject({ latitude: 0 });
    expect(decode(location({ lon: 0 })).readings[0]?.fields).toMatchObject({ longitude: 0 });
  });

  it("the owntracks decoder cuts a region's name to 200 characters and replaces what some stores cannot keep", () => {
    const desc = `a\u0000b\ud83d${"x".repeat(300)}`;

    const { notices } = decode({ _type: "transition", event: "enter", desc });

    expect(notices).toStrictEqual([
      {
        kind: "transition",
        timeMs: undefined,
        data: { event: "enter", desc: `a\uFFFDb\uFFFD${"x".repeat(196)}` },
      },
    ]);
  });

  it("the owntracks decoder keeps the first 62 numbers beside a position, and notes the 63rd as left out", () => {
    const numbers = (count: number) =>
      location(Object.fromEntries(Array.from({ length: count }, (_, i) => [`n${i}`, i])));

    expect(Object.keys(decode(numbers(62)).readings[0]?.fields ?? {})).toHaveLength(64);
    const [more] = decode(numbers(63)).readings;
    expect(more?.fields).toEqual(decode(numbers(62)).readings[0]?.fields);
    expect(more?.remarks).toMatchObject([{ kind: "fields_left_out", name: "n62", value: 1 }]);
  });

  it("the owntracks decoder names a type that it does not know by its first 64 characters only", () => {
    expect(() => decode({ _type: "y".repeat(1_000) })).toThrow(
      `_type "${"y".repeat(64)}" is not a type`,
    );
  });

  it("the owntracks decoder answers any message with readings, notices, a count or DECODE_FAILED", () => {
    const value = fc.oneof(fc.anything({ maxDepth: 1 }), fc.double(), fc.double().map(String));
    const names = ["lat", "lon", "tst", "acc", "vel", "cog", "batt", "hmc", "ign", "event", "desc"];
    const message = fc
      .tuple(
        fc.constantFrom("location", "transition", "lwt", "waypoint", "encrypted", 7),
        fc.dictionary(fc.oneof(fc.constantFrom(...names), fc.string()), value),
      )
      .map(([type, fields]) => ({ ...fields, _type: type }));

    const property = fc.property(message, (given) => {
      // JSON has no BigInt, and what it cannot write no device can send.
      const text = JSON.stringify(given, (_, part) => (typeof part === "bigint" ? 0 : part));
      try {
        const { readings, notices, ignored } = decode(JSON.parse(text));
        return readings.length + notices.length + ignored === 1;
      } catch (error) {
        return error instanceof DomainError && error.code === "DECODE_FAILED";
      }
    });
    expect(() => fc.assert(property, { numRuns: 3_000 })).not.toThrow();
  });
});
