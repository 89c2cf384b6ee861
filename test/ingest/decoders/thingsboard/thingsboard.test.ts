import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FIELD_RANGES } from "../../../../domain/equipment/reading.ts";
import { DomainError } from "../../../../domain/errors.ts";
import type { AssetId } from "../../../../domain/ids.ts";
import { thingsboard } from "../../../../ingest/decoders/thingsboard/thingsboard.ts";

const context = { assetId: "a1" as AssetId, receivedAtMs: 0 };
const decode = (message: unknown) =>
  thingsboard.decode(Buffer.from(JSON.stringify(message)), context).readings;
/** The rows of the page's table whose keys mean one field: `keys | field`. */
const documented = readFileSync(
  join(import.meta.dirname, "../../../../docs/devices/thingsboard.md"),
  "utf8",
)
  .split("\n")
  .flatMap((line) => {
    const [, keys, field] = /^\| ((?:`\w+`, )*`\w+`) \| `(\w+)` \|/.exec(line) ?? [];
    const names = [...(keys ?? "").matchAll(/\w+/g)].map(([key]) => key);
    return field === undefined ? [] : names.map((key) => ({ key, field }));
  });
const fieldsOf = (message: unknown) => decode(message).map(({ fields }) => fields);

describe("thingsboard decoder", () => {
  it("the thingsboard decoder takes 1,000 elements and refuses 1,001", () => {
    const elements = (count: number) => Array(count).fill({ ts: 1, values: { speed: 1 } });

    expect(decode(elements(1_000))).toHaveLength(1_000);
    expect(() => decode(elements(1_001))).toThrow("1001 readings; 1 to 1000 are allowed");
  });

  it("the thingsboard decoder takes every field with a meaning under its own name, at the top of its range", () => {
    const values = Object.fromEntries(
      // 255 satellites are "not available".
      Object.entries(FIELD_RANGES).map(([name, { max }]) => [name, max === 255 ? 254 : max]),
    );

    expect(Object.keys(values).length).toBeGreaterThan(20);
    expect(fieldsOf({ ts: 1, values })).toEqual([values]);
  });

  it.each([
    ["lat and lon", { lat: 1.5, lon: 2.5 }],
    ["lat and lng", { lat: 1.5, lng: 2.5 }],
    ["lat and long", { lat: 1.5, long: 2.5 }],
    ["gpsLatitude and gpsLongitude", { gpsLatitude: 1.5, gpsLongitude: 2.5 }],
    ["Latitude and LONGITUDE", { Latitude: 1.5, LONGITUDE: "2.5" }],
  ])("the thingsboard decoder finds a position in %s", (_, values) => {
    expect(fieldsOf(values)).toEqual([{ latitude: 1.5, longitude: 2.5 }]);
  });

  it("the thingsboard decoder does with every key what its page says", () => {
    expect(documented.length).toBeGreaterThan(30);
    for (const { key, field } of documented) {
      expect(fieldsOf({ [key]: 1 })).toEqual([{ [field]: 1 }]);
    }
  });

  it("the thingsboard decoder takes the one of two names that says something", () => {
    expect(fieldsOf({ lat: 1.5, lon: 2.5, gpsLatitude: "N/A", gpsLongitude: null })).toEqual([
      { latitude: 1.5, longitude: 2.5 },
    ]);
  });

  it.each([
    true,
    1,
    "true",
    "1",
    "on",
    "ON",
  ])("the thingsboard decoder takes %j for an engine that runs", (ignition) => {
    expect(fieldsOf({ ignition })).toEqual([{ engine_on: 1 }]);
  });

  it.each([
    false,
    0,
    "false",
    "0",
    "off",
    "Off",
  ])("the thingsboard decoder reads ignition %j as engine off", (ignition) => {
    expect(fieldsOf({ ignition })).toEqual([{ engine_on: 0 }]);
  });

  it("the thingsboard decoder takes an ISO 8601 ts, and null for none", () => {
    expect(decode({ ts: "2016-01-01T12:00:00.512Z", values: { speed: 1 } })).toMatchObject([
      { deviceTimeMs: 1_451_649_600_512 },
    ]);
    expect(decode({ ts: null, values: { speed: 1 } })).toMatchObject([{ deviceTimeMs: undefined }]);
  });

  it("the thingsboard decoder joins 64 neighbours without a time, leaves out the 65th, and never joins across one with a time", () => {
    const elements = Array.from({ length: 65 }, (_, i) => ({ [`n${i}`]: i }));

    expect(fieldsOf(elements.slice(1))).toHaveLength(1);
    expect(decode(elements)[0]?.remarks).toMatchObject([{ name: "n64", value: 1 }]);
    expect(
      fieldsOf([...elements.slice(0, 60), { ts: 1, a: 1 }, ...elements.slice(60)]),
    ).toHaveLength(3);
  });

  it("the thingsboard decoder leaves out names of 65 characters and names that belong to every object", () => {
    const long = `"${"k".repeat(65)}": 2, "a${".".repeat(64)}b": 2`;
    const text = `{"${"k".repeat(64)}": 1, ${long}, "__proto__": 3, "constructor": 4}`;

    const { readings } = thingsboard.decode(Buffer.from(text), context);

    expect(readings.map(({ fields }) => fields)).toEqual([{ ["k".repeat(64)]: 1 }]);
  });

  it("the thingsboard decoder takes a list of objects as a value, unless it is the gateway API's", () => {
    expect(fieldsOf({ speed: 1, doors: [{ open: 1 }] })).toEqual([{ speed_kmh: 1 }]);
    expect(() => decode({ speed: 1, "Device A": [{ ts: 1, values: {} }] })).toThrow("gateway API");
  });

  it("the thingsboard decoder answers any message with readings or DECODE_FAILED", () => {
    const value = fc.oneof(fc.anything({ maxDepth: 2 }), fc.double(), fc.double().map(String));
    const names = ["ts", "values", "latitude", "lng", "speed", "ignition", "engine", "fuel", "a.b"];
    const object = fc.dictionary(fc.oneof(fc.constantFrom(...names), fc.string()), value);
    const timed = fc.record({ ts: fc.integer(), values: object });
    const element = fc.oneof(object, timed);
    const message = fc.oneof(element, fc.array(element, { maxLength: 5 }));

    const property = fc.property(message, (given) => {
      // JSON has no BigInt, and what it cannot write no device can send.
      const text = JSON.stringify(given, (_, part) => (typeof part === "bigint" ? 0 : part));
      try {
        return decode(JSON.parse(text)).length > 0;
      } catch (error) {
        return error instanceof DomainError && error.code === "DECODE_FAILED";
      }
    });
    expect(() => fc.assert(property, { numRuns: 3_000 })).not.toThrow();
  });
});
