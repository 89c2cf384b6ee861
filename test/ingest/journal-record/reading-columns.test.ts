import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Reading } from "../../../domain/equipment/reading.ts";
import type { AssetId, ProjectId } from "../../../domain/ids.ts";
import { encodeForeign } from "../../../ingest/journal-record/foreign.ts";
import { encodeHandedOver } from "../../../ingest/journal-record/handed-over.ts";
import { pointsOf } from "../../../ingest/journal-record/journal-points.ts";
import { RECORD_KIND } from "../../../ingest/journal-record/journal-record.ts";
import { ReadingColumns } from "../../../ingest/journal-record/reading-columns.ts";
import { encodeReadings } from "../../../ingest/journal-record/readings.ts";

const ORIGIN = { clientHash: 1, packetId: 2, payloadHash: 3 };
const columns = new ReadingColumns();

/** The points of a record as the columns give them. */
function read(kind: number, body: Uint8Array) {
  columns.read({ kind, body });
  return Array.from({ length: columns.count }, (_, i) => {
    const { assetId, projectId, fixTimeMs, seq, payloadHash, names, values, start, end } =
      columns.at(i);
    const fields = names.slice(start, end).map((name, j) => [name, values[start + j]]);
    const rank = { fixTimeMs, seq, payloadHash };
    return { assetId, projectId, ...rank, fields: Object.fromEntries(fields) };
  });
}

/** The same points as the local store computes them. */
const expected = (kind: number, body: Uint8Array) =>
  pointsOf([{ sequence: 1, timeMs: 0, kind, body }]);

const timeMs = fc.integer({ min: 0, max: 4_102_444_800_000 });
const name = fc.constantFrom(
  "latitude",
  "longitude",
  "speed_kmh",
  "payload_kg",
  "my_own",
  "höhe",
  "device_time_ms",
);
const fault = fc.record(
  {
    spn: fc.integer({ min: 0, max: 524_287 }),
    fmi: fc.integer({ min: 0, max: 31 }),
    source: fc.integer({ min: 0, max: 253 }),
  },
  { requiredKeys: ["spn", "fmi"], noNullPrototype: true },
);
const reading: fc.Arbitrary<Reading> = fc.record(
  {
    fixTimeMs: timeMs,
    timeSource: fc.constantFrom("device" as const, "received" as const),
    rawTimeMs: fc.option(timeMs, { nil: undefined }),
    seq: fc.integer({ min: -1, max: Number.MAX_SAFE_INTEGER }),
    payloadHash: fc.integer({ min: 0, max: 0xffff_ffff }),
    fields: fc.dictionary(name, fc.double(), { noNullPrototype: true }),
    faults: fc.option(fc.array(fault, { maxLength: 5 }), { nil: undefined }),
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
const batch = fc.record(
  {
    assetId: fc.constantFrom("truck-1", "crane", "a".repeat(64), "ü").map((id) => id as AssetId),
    projectId: fc.constantFrom("site-1", "b".repeat(100)).map((id) => id as ProjectId),
    receivedAtMs: timeMs,
    readings: fc.array(reading, { maxLength: 12 }),
  },
  { noNullPrototype: true },
);

describe("the readings of a record as columns", () => {
  it("the readings of a record as columns are the points that the local store gets", () => {
    const check = (one: Parameters<typeof encodeReadings>[0]) => {
      const body = encodeReadings(one, ORIGIN);
      expect(read(RECORD_KIND.readings, body)).toEqual(expected(RECORD_KIND.readings, body));
    };
    fc.assert(fc.property(batch, check), { numRuns: 1_000 });
  });

  it("are those of the record that another partition passed on", () => {
    const [one] = fc.sample(
      batch.filter(({ readings }) => readings.length > 0),
      { numRuns: 1, seed: 5 },
    );
    if (one === undefined) throw new Error("no sample");
    const record = { kind: RECORD_KIND.readings, body: encodeReadings(one, ORIGIN) };
    const body = encodeHandedOver({ origin: { journalId: "j", sequence: 7 }, record });
    const found = read(RECORD_KIND.handedOver, body);
    expect(found.length).toBe(one.readings.length);
    expect(found).toEqual(expected(RECORD_KIND.handedOver, body));
  });

  it("are none where the record ends too early, wherever that is", () => {
    const check = (one: Parameters<typeof encodeReadings>[0], part: number) => {
      const body = encodeReadings(one, ORIGIN);
      const cut = body.subarray(0, Math.floor(body.length * part));
      expect(read(RECORD_KIND.readings, cut)).toEqual([]);
    };
    const part = fc.double({ min: 0, max: 0.999, noNaN: true });
    fc.assert(fc.property(batch, part, check), { numRuns: 1_000 });
  });

  it("are none in a record of another kind", () => {
    const publish = {
      assetId: "truck-1" as AssetId,
      projectId: "site-1" as ProjectId,
      receivedAtMs: 1,
      topic: "elsewhere",
      count: 1,
    };
    expect(read(RECORD_KIND.foreign, encodeForeign(publish))).toEqual([]);
    expect(read(RECORD_KIND.tick, Uint8Array.of(0))).toEqual([]);
  });
});
