import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FIELD_NAME, FIELD_RANGES } from "../../../../domain/equipment/reading.ts";
import { DomainError } from "../../../../domain/errors.ts";
import type { AssetId } from "../../../../domain/ids.ts";
import {
  metricValue,
  readSparkplugPayload,
} from "../../../../ingest/decoders/sparkplug/payload.ts";
import { type LastPosition, readingsOf } from "../../../../ingest/decoders/sparkplug/readings.ts";
import { sparkplug } from "../../../../ingest/decoders/sparkplug/sparkplug.ts";
import { vendorFilters } from "../../../../ingest/decoders/vendor-topics.ts";
import {
  encodeSparkplugPayload,
  type MetricToWrite,
} from "../../../../simulators/fleet/formats/sparkplug-payload.ts";

const TIME_MS = 1_795_132_790_000;
const context = { assetId: "a1" as AssetId, receivedAtMs: TIME_MS };

const payloadOf = (...metrics: readonly MetricToWrite[]): Buffer =>
  encodeSparkplugPayload({ timestampMs: TIME_MS, seq: 1, metrics });
const decode = (...metrics: readonly MetricToWrite[]) =>
  sparkplug.decode(payloadOf(...metrics), context);
const fieldsOf = (...metrics: readonly MetricToWrite[]) => decode(...metrics).readings[0]?.fields;
const many = (count: number, metricOf: (i: number) => MetricToWrite): readonly MetricToWrite[] =>
  Array.from({ length: count }, (_, i) => metricOf(i));

describe("payload", () => {
  const written = fc.oneof(
    fc.record({ type: fc.constant("Int8" as const), value: fc.integer({ min: -128, max: 127 }) }),
    fc.record({
      type: fc.constant("Int16" as const),
      value: fc.integer({ min: -32_768, max: 32_767 }),
    }),
    fc.record({ type: fc.constant("Int32" as const), value: fc.integer() }),
    fc.record({ type: fc.constant("Int64" as const), value: fc.maxSafeInteger() }),
    fc.record({ type: fc.constant("UInt8" as const), value: fc.nat(255) }),
    fc.record({ type: fc.constant("UInt16" as const), value: fc.nat(65_535) }),
    fc.record({ type: fc.constant("UInt32" as const), value: fc.nat(2 ** 32 - 1) }),
    fc.record({ type: fc.constant("UInt64" as const), value: fc.maxSafeNat() }),
    fc.record({ type: fc.constant("DateTime" as const), value: fc.maxSafeNat() }),
    fc.record({ type: fc.constant("Double" as const), value: fc.double() }),
    fc.record({ type: fc.constant("Boolean" as const), value: fc.boolean() }),
    fc.record({
      type: fc.constant("String" as const),
      value: fc.string({ unit: "binary" }).filter((text) => !text.includes("\ufffd")),
    }),
  );

  it("a Sparkplug payload reads what was written, whatever the type, with the datatype beside it or at the birth only", () => {
    const birthDatatype = new Map<string, number>();
    fc.assert(
      fc.property(written, fc.maxSafeNat(), fc.boolean(), ({ type, value }, alias, carriesType) => {
        const [born] = readSparkplugPayload(payloadOf({ name: "a", type, value })).metrics;
        birthDatatype.set(type, born?.datatype ?? 0);
        const payload = payloadOf({ alias, type, value, carriesType, timestampMs: alias });
        const [metric = expect.fail("no metric")] = readSparkplugPayload(payload).metrics;

        expect(metric).toMatchObject({ name: undefined, alias, timestampMs: alias });
        expect(metric.datatype).toBe(carriesType ? born?.datatype : undefined);
        expect(metricValue(metric, birthDatatype.get(type))).toBe(value);
      }),
    );
    expect(birthDatatype.size).toBeGreaterThan(8);
  });

  it("a Sparkplug payload reads every Float as the float it was, with six decimals where they say it", () => {
    fc.assert(
      fc.property(fc.float({ noNaN: true }), (value) => {
        const [metric] = readSparkplugPayload(
          payloadOf({ name: "a", type: "Float", value }),
        ).metrics;

        expect(Math.fround(Number(metric?.value))).toBe(value);
      }),
    );
    const [metric] = readSparkplugPayload(
      payloadOf({ name: "a", type: "Float", value: 12.6 }),
    ).metrics;
    expect(metric?.value).toBe(12.6);
  });

  it("refuses every beginning of a payload that ends within a metric", () => {
    const payload = payloadOf({ name: "GPS/Speed", type: "Double", value: 3.5, unit: "km/h" });
    // Seven bytes are the time, the last two the seq.
    const start = 7;
    const end = payload.length - 2;
    for (let length = start + 1; length < end; length += 1) {
      expect(() => readSparkplugPayload(payload.subarray(0, length))).toThrow(DomainError);
    }
    expect(readSparkplugPayload(payload.subarray(0, start)).metrics).toEqual([]);
    expect(readSparkplugPayload(payload.subarray(0, end)).metrics).toHaveLength(1);
  });

  it("a Sparkplug payload takes 5,000 metrics and refuses 5,001, also where there are 50,000 in 250 kB", () => {
    const metric = { name: "a", type: "UInt8", value: 1 } as const;

    expect(readSparkplugPayload(payloadOf(...many(5_000, () => metric))).metrics).toHaveLength(
      5_000,
    );
    expect(() => readSparkplugPayload(payloadOf(...many(5_001, () => metric)))).toThrow(
      "more than 5000 metrics",
    );
    // A metric named "a" and nothing else.
    const empty = Buffer.from("12030a0161".repeat(50_000), "hex");
    expect(() => readSparkplugPayload(empty)).toThrow("more than 5000 metrics");
  });

  it("a Sparkplug payload reads true of a number beyond 32 bits, and refuses a field or length of that size", () => {
    // 2^32 as a varint: its lower 32 bits are none.
    const [metric] = readSparkplugPayload(Buffer.from("12090a0161288080808010", "hex")).metrics;

    expect(metric?.isHistorical).toBe(true);
    expect(() => readSparkplugPayload(Buffer.from("888080801001", "hex"))).toThrow(
      "no field at byte 0",
    );
    expect(() => readSparkplugPayload(Buffer.from("1280808080100a0161", "hex"))).toThrow(
      "goes beyond byte 9",
    );
  });

  it("a metric has no value beside null, nor where bytes take its place", () => {
    // The number 5 and is_null; the number 5 and then one byte.
    const payload = Buffer.from("12070a016150053801" + "12090a01615005820101ff", "hex");
    const { metrics } = readSparkplugPayload(payload);

    expect(metrics.map(({ value }) => value)).toEqual([undefined, undefined]);
    expect(metrics.map(({ isNull }) => isNull)).toEqual([true, false]);
  });

  it("a Sparkplug payload has the quality of Ignition's own codes, which are negative for bad", () => {
    const quality = -2_147_483_136;
    const [metric] = readSparkplugPayload(
      payloadOf({ name: "a", type: "UInt8", value: 1, quality }),
    ).metrics;

    expect(metric?.quality).toBe(quality);
  });

  it("a Sparkplug payload has a unit of up to 32 characters, and none that is longer", () => {
    const unitOf = (unit: string) =>
      readSparkplugPayload(payloadOf({ name: "a", type: "UInt8", value: 1, unit })).metrics[0]
        ?.unit;

    expect(unitOf("u".repeat(32))).toBe("u".repeat(32));
    expect(unitOf("u".repeat(33))).toBeUndefined();
  });
});

describe("sparkplug decoder", () => {
  it("the sparkplug decoder makes 1,000 readings of 1,000 times and refuses 1,001", () => {
    const times = (count: number) =>
      many(count, (i) => ({
        name: "GPS/Speed",
        type: "UInt8",
        value: 5,
        timestampMs: i,
        isHistorical: i % 2 === 1,
      }));

    expect(decode(...times(1_000)).readings).toHaveLength(1_000);
    expect(() => decode(...times(1_001))).toThrow("more than 1000 times");
  });

  it("the sparkplug decoder keeps the meanings of a birth with 300 numbers, and of the others as many as fit", () => {
    const others = many(300, (i) => ({ name: `Tag/${i}`, type: "UInt8", value: i % 256 }));
    const { readings, ignored } = decode(
      ...others,
      { name: "Fuel/Level", type: "UInt8", value: 62 },
      { name: "GPS/Latitude", type: "Double", value: 52.5 },
      { name: "GPS/Longitude", type: "Double", value: 13.4 },
    );

    const { fields = {} } = readings[0] ?? {};
    expect(Object.keys(fields)).toHaveLength(64);
    expect(fields).toMatchObject({ fuel_level_percent: 62, latitude: 52.5, longitude: 13.4 });
    expect(fields).toMatchObject({ tag_0: 0, tag_60: 60 });
    expect(ignored).toBe(300 - 61);
  });

  it("the sparkplug decoder reads one name by the unit of each message", () => {
    const speed = (unit?: string) =>
      fieldsOf({ name: "GPS/Speed", type: "Double", value: 10, ...(unit ? { unit } : {}) });

    expect(speed()).toEqual({ speed_kmh: 10 });
    expect(speed("m/s")).toEqual({ speed_kmh: 36 });
    expect(speed(" KNOTS ")).toEqual({ speed_kmh: 18.52 });
    expect(speed("bananas")).toEqual({ gps_speed: 10 });
    expect(speed("  ")).toEqual({ speed_kmh: 10 });
  });

  it.each([
    ["Pump1Pressure", "pump1_pressure"],
    ["Ge\u0301nie/Etat", "genie_etat"],
    ["Boom (left) [deg]", "boom_left_deg"],
    ["A:B.c-d", "a_b_c_d"],
  ])("the sparkplug decoder keeps %s as %s", (name, field) => {
    expect(fieldsOf({ name, type: "UInt8", value: 1 })).toEqual({ [field]: 1 });
  });

  it("the sparkplug decoder still knows what a name means after 25,000 others", () => {
    const names = (from: number) =>
      many(5_000, (i) => ({ name: `Tag/${from + i}`, type: "UInt8", value: 1 }));
    for (let from = 0; from < 25_000; from += 5_000) decode(...names(from));

    expect(fieldsOf({ name: "GPS/Speed", type: "UInt8", value: 7 })).toEqual({ speed_kmh: 7 });
    expect(fieldsOf({ name: "Tag/7", type: "UInt8", value: 7 })).toEqual({ tag_7: 7 });
  });

  it("the sparkplug decoder makes storable field names of all names, and none that passes for another field", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 1 }), (name) => {
        fc.pre(Buffer.from(name).toString() === name && !name.includes("\ufffd"));
        const fields = fieldsOf({ name, type: "Double", value: 1, unit: "bananas" }) ?? {};

        expect(Object.keys(fields)).toHaveLength(1);
        for (const field of Object.keys(fields)) {
          expect(field).toMatch(FIELD_NAME);
          expect(Object.keys(FIELD_RANGES)).not.toContain(field);
        }
      }),
    );
  });
});

describe("readings of metrics that a birth named", () => {
  const born = new Map([
    [1, { name: "Engine/Oil Pressure", datatype: 9, unit: "bar" }],
    [2, { name: "Slope", datatype: 2 }],
    [3, { name: "GPS/Latitude", datatype: 10 }],
    [4, { name: "GPS/Longitude", datatype: 10 }],
    [5, { name: "Node Control/Rebirth", datatype: 11 }],
  ]);
  const read = (last: LastPosition | undefined, ...metrics: readonly MetricToWrite[]) =>
    readingsOf(
      readSparkplugPayload(payloadOf(...metrics)),
      ({ alias = 0 }) => born.get(alias),
      last,
    );
  const latitude = (value: number): MetricToWrite => ({ alias: 3, type: "Double", value });
  const longitude = (value: number): MetricToWrite => ({ alias: 4, type: "Double", value });

  it("readings of metrics that a birth named have the birth's unit and datatype where they have none of their own", () => {
    const { readings, ignored } = read(
      undefined,
      { alias: 1, type: "Float", value: 3.5, carriesType: false },
      { alias: 2, type: "Int16", value: -12, carriesType: false },
      { alias: 5, type: "Boolean", value: true },
      { alias: 6, type: "Float", value: 3.5 },
    );

    expect(readings.map(({ fields }) => fields)).toEqual([{ oil_pressure_kpa: 350, slope: -12 }]);
    expect(ignored).toBe(1);
    const { readings: inPsi } = read(undefined, {
      alias: 1,
      type: "Float",
      value: 10,
      unit: "psi",
    });
    expect(inPsi[0]?.fields).toEqual({ oil_pressure_kpa: 68.94757 });
  });

  it("readings of metrics that a birth named complete half a position by what was said last, and remember what is said now", () => {
    const last: LastPosition = { latitude: undefined, longitude: undefined };

    expect(read(last, latitude(52.5))).toMatchObject({ readings: [{ fields: {} }], ignored: 1 });
    expect(read(last, longitude(13.4)).readings[0]?.fields).toEqual({
      latitude: 52.5,
      longitude: 13.4,
    });
    expect(read(last, longitude(13.5)).readings[0]?.fields).toEqual({
      latitude: 52.5,
      longitude: 13.5,
    });
    expect(last).toEqual({ latitude: 52.5, longitude: 13.5 });
  });

  it("readings of metrics that a birth named take no historical position for the last, and complete none by it", () => {
    const last: LastPosition = { latitude: 52.5, longitude: 13.4 };
    const past = { ...latitude(40), isHistorical: true };

    expect(read(last, past)).toMatchObject({ readings: [], ignored: 1 });
    expect(read(last, past, { ...longitude(10), isHistorical: true }).readings).toHaveLength(1);
    expect(last).toEqual({ latitude: 52.5, longitude: 13.4 });
  });

  it("readings of metrics that a birth named forget the last position with the fix, and keep it where a message is refused", () => {
    const last: LastPosition = { latitude: 52.5, longitude: 13.4 };

    expect(() => read(last, latitude(91))).toThrow("latitude 91 is outside");
    expect(last).toEqual({ latitude: 52.5, longitude: 13.4 });
    expect(read(last, latitude(0), longitude(0)).readings).toMatchObject([{ fields: {} }]);
    expect(last).toEqual({ latitude: undefined, longitude: undefined });
    expect(read(last, latitude(52.6)).readings).toMatchObject([{ fields: {} }]);
  });

  it("two halves of one kind are not a position; latitude and longitude a second apart are one, of the past too", () => {
    const at = (metric: MetricToWrite, timestampMs: number) => ({ ...metric, timestampMs });
    const past = (metric: MetricToWrite) => ({ ...metric, isHistorical: true });

    expect(read(undefined, at(latitude(52.5), 1_000), at(latitude(52.6), 1_500)).ignored).toBe(2);
    const { readings, ignored } = read(
      undefined,
      past(at(latitude(52.5), 1_000)),
      past(at(longitude(13.4), 2_000)),
    );
    expect(readings).toMatchObject([
      { deviceTimeMs: 2_000, fields: { latitude: 52.5, longitude: 13.4 }, isHistorical: true },
    ]);
    expect(ignored).toBe(0);
  });

  it("readings of metrics that a birth named put the two halves of one message, in whatever order, to the later time", () => {
    const at = (metric: MetricToWrite, timestampMs: number) => ({ ...metric, timestampMs });
    const last: LastPosition = { latitude: 1, longitude: 2 };
    const { readings } = read(last, at(longitude(13.4), 1_300), at(latitude(52.5), 1_000));

    expect(readings).toMatchObject([
      { deviceTimeMs: 1_300, fields: { latitude: 52.5, longitude: 13.4 } },
    ]);
    expect(last).toEqual({ latitude: 52.5, longitude: 13.4 });
  });
});

describe("a position outside its range", () => {
  const at = (timestampMs: number, latitude: number): readonly MetricToWrite[] => [
    { name: "Position/Latitude", type: "Double", value: latitude, timestampMs },
    { name: "Position/Longitude", type: "Double", value: 13.4, timestampMs },
  ];
  const read = (metrics: readonly MetricToWrite[], last: LastPosition) =>
    readingsOf(
      readSparkplugPayload(encodeSparkplugPayload({ timestampMs: 9_000, seq: 1, metrics })),
      ({ name = "", datatype }) => ({ name, datatype }),
      last,
    );

  it("a position outside its range refuses the time that it is of, and says nothing of where the machine is", () => {
    const last: LastPosition = { latitude: 1, longitude: 2 };
    const { readings, refused } = read([...at(1_000, 52.5), ...at(5_000, 95)], last);

    expect(readings).toMatchObject([{ deviceTimeMs: 1_000, fields: { latitude: 52.5 } }]);
    expect(refused).toEqual({
      reason: "1 of 2 readings refused, the others are stored: latitude 95 is outside -90 to 90",
      payload: undefined,
    });
    expect(last).toEqual({ latitude: 52.5, longitude: 13.4 });
  });

  it("a position outside its range refuses the message where every time is refused", () => {
    expect(() => read(at(1_000, 95), { latitude: 1, longitude: 2 })).toThrow("latitude 95");
  });
});

describe("readings", () => {
  it("readings have the place in the sequence: of one millisecond, what came behind the birth is the newer", () => {
    const fuel = (seq: number, value: number) =>
      readingsOf(
        readSparkplugPayload(
          encodeSparkplugPayload({
            timestampMs: 1_000,
            seq,
            metrics: [{ name: "Fuel/Level", type: "Int32", value }],
          }),
        ),
        ({ name = "", datatype }) => ({ name, datatype }),
      ).readings;
    expect([...fuel(0, 80), ...fuel(2, 70)]).toMatchObject([
      { deviceTimeMs: 1_000, seq: 0, fields: { fuel_level_percent: 80 } },
      { deviceTimeMs: 1_000, seq: 2, fields: { fuel_level_percent: 70 } },
    ]);
  });
});

describe("topics", () => {
  const filters = (hardware_id?: string) =>
    vendorFilters({
      id: "loader-1" as AssetId,
      decoder: "sparkplug",
      ...(hardware_id === undefined ? {} : { hardware_id }),
    });

  it("topics of an edge node are those of its group, its own and its devices'", () => {
    expect(filters("Quarry/Edge-1")).toEqual([
      "spBv1.0/Quarry/+/Edge-1",
      "spBv1.0/Quarry/+/Edge-1/+",
    ]);
  });

  it.each([
    undefined,
    "Quarry",
    "Quarry/Edge-1/Loader",
    "/Edge-1",
    "Quarry/",
    "/",
  ])("topics are none for a hardware_id of %s", (hardwareId) => {
    expect(filters(hardwareId)).toEqual([]);
  });
});
