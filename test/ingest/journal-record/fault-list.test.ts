import fc from "fast-check";
import { expect, it } from "vitest";
import type { FaultCode } from "../../../domain/equipment/reading.ts";
import type { AssetId, ProjectId } from "../../../domain/ids.ts";
import { decodeRecord, RECORD_KIND } from "../../../ingest/journal-record/journal-record.ts";
import { encodeReadings } from "../../../ingest/journal-record/readings.ts";

const origin = { clientHash: 1, packetId: 2, payloadHash: 7 };

function batchOf(faults: readonly FaultCode[]) {
  const reading = {
    fixTimeMs: 1_790_000_000_000,
    timeSource: "device" as const,
    rawTimeMs: undefined,
    seq: -1,
    payloadHash: 7,
    fields: { speed_kmh: 1 },
    faults,
  };
  return {
    assetId: "t" as AssetId,
    projectId: "p" as ProjectId,
    receivedAtMs: 1_790_000_000_123,
    readings: [reading],
  };
}

function faultsIn(body: Uint8Array): unknown {
  const entry = decodeRecord({ kind: RECORD_KIND.readings, body });
  return entry?.type === "readings" ? entry.batch.readings[0]?.faults : undefined;
}

/** Written by the version that knew no source addresses. */
const WITHOUT_SOURCES =
  "0174017000b0c706450c7a42010000000200070000000100080000c006450c7a42070000000105000000000000f03f026e000000000500f007001fff";
const FAULTS = [
  { spn: 110, fmi: 0, occurrence_count: 5 },
  { spn: 520_192, fmi: 31 },
];

it("records written before source addresses were kept are read as they were", () => {
  expect(faultsIn(Buffer.from(WITHOUT_SOURCES, "hex"))).toStrictEqual(FAULTS);
});

it("a list without source addresses is still written as it was", () => {
  const body = encodeReadings(batchOf(FAULTS), origin);
  expect(Buffer.from(body).toString("hex")).toBe(WITHOUT_SOURCES);
});

it("lists with source addresses, some or all, come back as they were", () => {
  const fault = fc.record(
    {
      spn: fc.integer({ min: 0, max: 524_287 }),
      fmi: fc.integer({ min: 0, max: 31 }),
      occurrence_count: fc.integer({ min: 0, max: 126 }),
      source: fc.integer({ min: 0, max: 253 }),
    },
    { requiredKeys: ["spn", "fmi"], noNullPrototype: true },
  );
  fc.assert(
    fc.property(fc.array(fault, { maxLength: 100 }), (faults) => {
      expect(faultsIn(encodeReadings(batchOf(faults), origin))).toStrictEqual(faults);
    }),
  );
});
