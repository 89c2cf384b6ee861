import { describe, expect, it } from "vitest";
import { FIELD_NAME, FIELD_RANGES, MAX_FIELDS } from "../../../../domain/equipment/reading.ts";
import type { AssetId } from "../../../../domain/ids.ts";
import { FMB_IDS } from "../../../../ingest/decoders/teltonika/avl-ids.ts";
import { FMX6_IDS } from "../../../../ingest/decoders/teltonika/avl-ids-fmx6.ts";
import { teltonika } from "../../../../ingest/decoders/teltonika/codec-json.ts";
import { teltonikaCodec8 } from "../../../../ingest/decoders/teltonika/codec8.ts";
import { crc16 } from "../../../../ingest/decoders/teltonika/crc16.ts";

const context = { assetId: "a1" as AssetId, receivedAtMs: Date.UTC(2026, 10, 20) };
const TIME_MS = 1_698_922_776_030;

const TABLES = { fmb: FMB_IDS, fmx6: FMX6_IDS };
const meantIn = (ids: typeof FMB_IDS) =>
  Array.from({ length: 65_536 }, (_, id) => id).flatMap((id) => {
    const meant = ids.meaning(id);
    return meant === undefined ? [] : [{ id, ...meant }];
  });

const report = (more: Readonly<Record<string, unknown>>): Buffer =>
  Buffer.from(
    JSON.stringify({
      state: {
        reported: { ts: TIME_MS, latlng: "54.7,25.3", alt: 1, ang: 2, sat: 9, sp: 3, ...more },
      },
    }),
  );

/** A Codec 8 packet of `count` records with a fix at sea level, one second apart. */
function packet(count: number): Buffer {
  const records = Array.from({ length: count }, (_, i) => {
    const record = Buffer.alloc(30);
    record.writeBigUInt64BE(BigInt(TIME_MS + i * 1_000), 0);
    record.writeInt32BE(253_000_000, 9);
    record.writeInt32BE(547_000_000, 13);
    record[21] = 9;
    return record;
  });
  const data = Buffer.concat([Buffer.of(8, count), ...records, Buffer.of(count)]);
  const bytes = Buffer.alloc(data.length + 12);
  bytes.writeUInt32BE(data.length, 4);
  data.copy(bytes, 8);
  bytes.writeUInt32BE(crc16(data, 0, data.length), data.length + 8);
  return bytes;
}

describe("a CAN adapter that has no value", () => {
  it("all ones of a CAN adapter are not a fuel rate or fuel used, though a machine may have as much", () => {
    const [reading] = teltonika.decode(
      report({ 83: 0xffffffff, 87: 0xffffffff, 110: 0xffff }),
      context,
    ).readings;
    expect(reading?.fields).not.toHaveProperty("fuel_used_liters");
    expect(reading?.fields).not.toHaveProperty("fuel_rate_lph");
    expect(reading?.fields).not.toHaveProperty("can_odometer_km");
    expect(reading?.remarks).toBeUndefined();
  });

  it("a CAN adapter may say in words that it has no value; unknown words are suspect, by the number in them", () => {
    const [reading] = teltonika.decode(
      report({ 66: "12.4V", 85: "N/A", 90: "open" }),
      context,
    ).readings;
    expect(reading?.fields).toMatchObject({ suspect_avl_66: 12.4 });
    expect(reading?.fields).not.toHaveProperty("battery_voltage");
    expect(reading?.remarks).toEqual([
      {
        kind: "suspect_value",
        name: "avl_66",
        value: "12.4V",
        problem: "not a number (battery_voltage)",
      },
    ]);
  });
});

describe("a tracker with two sources of the VIN", () => {
  it("one of two VIN sources is used, so that records do not alternate between them", () => {
    const reported = [0, 1, 2].map((i) => ({ ts: TIME_MS + i, 256: "WVWZZZ1J", 325: "UNREAD" }));
    const { notices } = teltonika.decode(
      Buffer.from(JSON.stringify({ state: { reported } })),
      context,
    );
    expect(notices).toMatchObject([{ data: { name: "vin", value: "WVWZZZ1J" } }]);
  });
});

describe("CRC-16/IBM", () => {
  it("CRC-16/IBM of the digits 1 to 9 is the check value of its catalogue entry, BB3D", () => {
    expect(crc16(Buffer.from("..123456789.."), 2, 11)).toBe(0xbb3d);
  });
});

describe.each(["fmb", "fmx6"] as const)("the table of AVL ids %s", (name) => {
  const meant = meantIn(TABLES[name]);
  const options = { teltonika_ids: name };

  it("the table of AVL ids names fields that may be stored, and second names that have no meaning of ours", () => {
    expect(meant.length).toBeGreaterThan(40);
    for (const { field, otherwise, min, max } of meant) {
      expect(field).toMatch(FIELD_NAME);
      expect(FIELD_RANGES[field] ?? { min, max }).toEqual({ min, max });
      if (otherwise !== "") expect(otherwise).toMatch(FIELD_NAME);
      expect(Object.hasOwn(FIELD_RANGES, otherwise)).toBe(false);
    }
  });

  it("the table of AVL ids gives each field one best source", () => {
    const best = meant.filter(({ otherwise }) => otherwise === "").map(({ field }) => field);
    const second = meant.flatMap(({ otherwise }) => (otherwise === "" ? [] : [otherwise]));

    expect(new Set([...best, ...second]).size).toBe(best.length + second.length);
  });

  it("the table of AVL ids gives sensors that are spare the room that is left, and leaves no machine value out for them", () => {
    const all = Object.fromEntries(meant.map(({ id, per }) => [id, per]));
    const { readings } = teltonika.decode(report(all), { ...context, options });

    const { fields = {} } = readings[0] ?? {};
    expect(Object.keys(fields).length).toBeLessThanOrEqual(MAX_FIELDS);
    for (const { field, otherwise, isSpare } of meant) {
      if (!isSpare && otherwise === "") expect(fields).toHaveProperty(field);
    }
  });

  it("the table of AVL ids knows no number of eight bytes, which is an identifier or text", () => {
    for (const { id } of meant) expect(TABLES[name].meaning(id, 8)).toBeUndefined();
  });

  it("the table of AVL ids fits into one reading as a whole, with fix, priority and event", () => {
    // 1 in the unit of every field, and 0 from the second sources: they are stored beside each other.
    const machine = meant.filter(({ isSpare }) => !isSpare);
    const all = Object.fromEntries(
      machine.map(({ id, per, otherwise }) => [id, otherwise === "" ? per : 0]),
    );
    const { readings, ignored } = teltonika.decode(report({ ...all, pr: 1, evt: 2 }), {
      ...context,
      options,
    });

    const { fields = {} } = readings[0] ?? {};
    expect(ignored).toBe(0);
    expect(Object.keys(fields).length).toBeLessThanOrEqual(MAX_FIELDS);
    for (const { field, otherwise } of machine) {
      expect(fields).toMatchObject(otherwise === "" ? { [field]: 1 } : { [otherwise]: 0 });
    }
  });
});

describe("Codec JSON", () => {
  it("Codec JSON takes a record of 1,000 values and refuses one of 1,001", () => {
    const values = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [String(20_000 + i), i]));

    // Six values are time and fix; 56 of the rest fit beside what a fix, priority and event may fill.
    expect(teltonika.decode(report(values(994)), context).ignored).toBe(994 - 56);
    expect(() => teltonika.decode(report(values(995)), context)).toThrow(
      "1001 values; 1000 are allowed",
    );
  });

  it("Codec JSON takes 1,000 records and refuses 1,001", () => {
    const records = (count: number) =>
      Buffer.from(
        JSON.stringify({
          state: { reported: Array.from({ length: count }, (_, i) => ({ ts: i })) },
        }),
      );

    expect(teltonika.decode(records(1_000), context).readings).toHaveLength(1_000);
    expect(() => teltonika.decode(records(1_001), context)).toThrow(
      "1001 records; 1 to 1000 are allowed",
    );
  });
});

describe("Codec 8", () => {
  it("Codec 8 takes the 255 records that one packet may have, each with its own time", () => {
    const { readings } = teltonikaCodec8.decode(packet(255), context);

    expect(readings.map(({ deviceTimeMs }) => deviceTimeMs)).toEqual(
      Array.from({ length: 255 }, (_, i) => TIME_MS + i * 1_000),
    );
  });

  it("Codec 8 reads a packet in the middle of a larger buffer", () => {
    const whole = Buffer.concat([Buffer.alloc(7, 0xaa), packet(2), Buffer.alloc(9, 0xbb)]);
    const { readings } = teltonikaCodec8.decode(whole.subarray(7, whole.length - 9), context);

    expect(readings).toHaveLength(2);
  });

  it("Codec 8 refuses every packet with one bit of what the CRC protects turned round", () => {
    const good = packet(1);
    const turned = Array.from({ length: (good.length - 8) * 8 }, (_, bit) => {
      const bytes = Buffer.from(good);
      const at = 8 + (bit >> 3);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (bit & 7));
      return bytes;
    });

    for (const bytes of turned) expect(() => teltonikaCodec8.decode(bytes, context)).toThrow(/CRC/);
  });
});
