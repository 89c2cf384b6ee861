import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AssetId, ProjectId } from "../../../domain/ids.ts";
import { encodeForeign } from "../../../ingest/journal-record/foreign.ts";
import {
  decodeRecord,
  RECORD_KIND,
  TICK_BODY,
} from "../../../ingest/journal-record/journal-record.ts";
import { encodeLinkChange, LINK_ENDS } from "../../../ingest/journal-record/link-change.ts";
import { encodeQuarantined } from "../../../ingest/journal-record/quarantined.ts";
import { ReadingColumns } from "../../../ingest/journal-record/reading-columns.ts";
import { encodeReadings } from "../../../ingest/journal-record/readings.ts";

const u32 = fc.integer({ min: 0, max: 0xffff_ffff });
const timeMs = fc.integer({ min: 0, max: 4_102_444_800_000 });
const origin = fc.record(
  {
    clientHash: u32,
    packetId: fc.integer({ min: 0, max: 65_535 }),
    payloadHash: u32,
  },
  { noNullPrototype: true },
);
const field = fc.constantFrom("latitude", "longitude", "speed_kmh", "engine_on", "my_own", "x1");
const value = fc.double({ noNaN: true, noDefaultInfinity: true });
const fault = fc.record(
  {
    spn: fc.integer({ min: 0, max: 524_287 }),
    fmi: fc.integer({ min: 0, max: 31 }),
    occurrence_count: fc.integer({ min: 0, max: 126 }),
  },
  { requiredKeys: ["spn", "fmi"], noNullPrototype: true },
);
const ownFault = fc.record(
  {
    code: fc.string({ minLength: 1, maxLength: 40 }),
    description: fc.string({ unit: "grapheme", maxLength: 200 }),
    reported_severity: fc.string({ maxLength: 40 }),
    occurrence_count: fc.integer({ min: 0, max: 126 }),
  },
  { requiredKeys: ["code"], noNullPrototype: true },
);
const reading = fc.record(
  {
    fixTimeMs: timeMs,
    timeSource: fc.constantFrom("device" as const, "received" as const),
    rawTimeMs: fc.option(timeMs, { nil: undefined }),
    seq: fc.integer({ min: -1, max: Number.MAX_SAFE_INTEGER }),
    payloadHash: u32,
    fields: fc.dictionary(field, value, { noNullPrototype: true }),
    faults: fc.option(fc.array(fc.oneof(fault, ownFault), { maxLength: 20 }), { nil: undefined }),
    isHistorical: fc.constant(true as const),
  },
  {
    requiredKeys: [
      "fixTimeMs",
      "timeSource",
      "rawTimeMs",
      "seq",
      "payloadHash",
      "fields",
      "faults",
    ],
    noNullPrototype: true,
  },
);
const subject = {
  assetId: "truck-1" as AssetId,
  projectId: "site_A" as ProjectId,
  receivedAtMs: 1_790_000_000_123,
};
const record = (kind: number, body: Uint8Array) => ({ sequence: 1, timeMs: 0, kind, body });

describe("journal records", () => {
  it("journal records give back every reading to the bit", () => {
    fc.assert(
      fc.property(fc.array(reading, { maxLength: 40 }), origin, (readings, from) => {
        const batch = { ...subject, readings };
        const body = encodeReadings(batch, from);
        expect(decodeRecord(record(RECORD_KIND.readings, body))).toStrictEqual({
          type: "readings",
          batch,
          notices: [],
          origin: from,
        });
      }),
    );
  });

  it("journal records have one bit for a historical reading, and are else as they were before there was one", () => {
    const live = {
      fixTimeMs: 1_790_000_000_000,
      timeSource: "device" as const,
      rawTimeMs: undefined,
      seq: 7,
      payloadHash: 9,
      fields: { speed_kmh: 12 },
      faults: [{ spn: 100, fmi: 1 }],
    };
    const from = { clientHash: 1, packetId: 2, payloadHash: 3 };
    const body = Buffer.from(encodeReadings({ ...subject, readings: [live] }, from));
    const historical = Buffer.from(
      encodeReadings({ ...subject, readings: [{ ...live, isHistorical: true }] }, from),
    );
    // Behind the two ids with their lengths, time, origin and count.
    const flagsAt = 8 + 7 + 8 + 10 + 2;
    // As version 1.6 wrote it: sequence and faults.
    expect(body[flagsAt]).toBe(4 | 8);
    expect(historical[flagsAt]).toBe(4 | 8 | 32);
    historical[flagsAt] = 4 | 8;
    expect(historical.equals(body)).toBe(true);
  });

  it("journal records give back every notice behind the readings, or alone", () => {
    const data = fc.dictionary(
      fc.string({ maxLength: 20 }).filter((name) => name !== "__proto__"),
      fc.oneof(fc.string({ maxLength: 200 }), fc.integer(), fc.boolean()),
      { noNullPrototype: true },
    );
    const notice = fc.record(
      {
        kind: fc.constantFrom("transition", "last_will", "of a newer version"),
        occurredAtMs: timeMs,
        timeSource: fc.constantFrom("device" as const, "received" as const),
        data,
      },
      { noNullPrototype: true },
    );
    fc.assert(
      fc.property(
        fc.array(reading, { maxLength: 3 }),
        fc.array(notice, { minLength: 1, maxLength: 5 }),
        origin,
        (readings, notices, from) => {
          const batch = { ...subject, readings };
          const body = encodeReadings(batch, from, notices);
          const expected = { type: "readings", batch, notices, origin: from };
          expect(decodeRecord(record(RECORD_KIND.readings, body))).toStrictEqual(expected);
          // The archive finds the same points as without them.
          const points = (bytes: Uint8Array) => {
            const columns = new ReadingColumns();
            columns.read(record(RECORD_KIND.readings, bytes));
            return Array.from({ length: columns.count }, (_, i) => {
              const { fixTimeMs, start, end, names, values } = columns.at(i);
              return [fixTimeMs, names.slice(start, end), values.slice(start, end)];
            });
          };
          expect(points(body)).toEqual(points(encodeReadings(batch, from)));
          const cut = record(RECORD_KIND.readings, body.subarray(0, body.length - 1));
          expect(() => decodeRecord(cut)).toThrow(RangeError);
        },
      ),
    );
  });

  it("journal records of a message without notices end with the readings, as they did before notices were kept", () => {
    const body = encodeReadings(
      { ...subject, readings: [] },
      { clientHash: 1, packetId: 2, payloadHash: 3 },
    );
    expect(Buffer.from(body).toString("hex")).toBe(
      "07747275636b2d3106736974655f4100b0c706450c7a42010000000200030000000000",
    );
  });

  it("journal records give back a quarantined payload of any bytes and a reason of any text", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 2_000 }),
        fc.string(),
        origin,
        (payload, text, from) => {
          const message = { ...subject, topic: text, format: "telemetry", reason: text, payload };
          const entry = decodeRecord(
            record(RECORD_KIND.quarantined, encodeQuarantined(message, from)),
          );
          // A lone surrogate has no UTF-8; it comes back as the replacement character.
          const kept = Buffer.from(text).toString();
          expect(entry).toEqual({
            type: "quarantined",
            message: { ...message, topic: kept, reason: kept, payload: Buffer.from(payload) },
            origin: from,
          });
        },
      ),
    );
  });

  it("journal records keep topic and number of foreign publishes, and a tick as a tick", () => {
    const publish = { ...subject, topic: "sites/other/assets/crane-9/telemetry", count: 70_000 };
    const entry = decodeRecord(record(RECORD_KIND.foreign, encodeForeign(publish)));
    expect(entry).toEqual({ type: "foreign", publish });
    expect(decodeRecord(record(RECORD_KIND.tick, TICK_BODY))).toEqual({ type: "tick" });
  });

  it("journal records of a foreign publish from a version that did not count mean one", () => {
    const body = encodeForeign({ ...subject, topic: "elsewhere", count: 7 });
    const entry = decodeRecord(record(RECORD_KIND.foreign, body.subarray(0, body.length - 4)));
    expect(entry).toEqual({
      type: "foreign",
      publish: { ...subject, topic: "elsewhere", count: 1 },
    });
  });

  it("journal records keep how a link ended, or that it is up, and a start as a start", () => {
    for (const end of [undefined, ...LINK_ENDS]) {
      const change = { assetId: subject.assetId, projectId: subject.projectId, atMs: 1.5e12, end };
      const entry = decodeRecord(record(RECORD_KIND.link, encodeLinkChange(change)));
      expect(entry).toStrictEqual({ type: "link", change });
    }
    expect(decodeRecord(record(RECORD_KIND.start, TICK_BODY))).toEqual({ type: "start" });
  });

  it("journal records of an unknown kind are distinguished from damaged ones", () => {
    expect(decodeRecord(record(200, TICK_BODY))).toBeUndefined();
    const body = encodeForeign({ ...subject, topic: "a/b", count: 1 });
    const cut = record(RECORD_KIND.foreign, body.subarray(0, body.length - 2));
    expect(() => decodeRecord(cut)).toThrow(RangeError);
  });

  it("journal records larger than the writer's first buffer keep every value, whatever is written last before it grows", () => {
    for (let extra = 0; extra < 40; extra += 1) {
      const readings = Array.from({ length: 1_000 }, (_, i) => ({
        fixTimeMs: i,
        timeSource: "device" as const,
        rawTimeMs: undefined,
        seq: i,
        payloadHash: i,
        fields: {
          [`f${"x".repeat(extra)}`]: i + 0.5,
          latitude: i,
          longitude: -i,
          speed_kmh: i,
          a: i,
        },
        faults: undefined,
      }));
      const from = { clientHash: 1, packetId: 2, payloadHash: 3 };
      const body = encodeReadings({ ...subject, readings }, from);
      expect(body.length).toBeGreaterThan(65_536);
      const entry = decodeRecord(record(RECORD_KIND.readings, body));
      expect(entry?.type === "readings" ? entry.batch.readings : []).toEqual(readings);
    }
  });

  it("journal records keep a quarantined payload of 256 KiB", () => {
    const payload = Buffer.alloc(256 * 1024, 7);
    const message = { ...subject, topic: "t", format: "f", reason: "r", payload };
    const from = { clientHash: 1, packetId: 2, payloadHash: 3 };
    const entry = decodeRecord(record(RECORD_KIND.quarantined, encodeQuarantined(message, from)));
    expect(entry?.type === "quarantined" && payload.equals(entry.message.payload)).toBe(true);
  });

  it("journal records do not change when the next one is written", () => {
    const first = encodeForeign({ ...subject, topic: "first", count: 1 });
    const before = Buffer.from(first);
    encodeForeign({ ...subject, topic: "second", count: 1 });
    expect(Buffer.from(first).equals(before)).toBe(true);
  });
});
