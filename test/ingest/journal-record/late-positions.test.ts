import { describe, expect, it } from "vitest";
import type { Reading } from "../../../domain/equipment/reading.ts";
import type { AssetId, ProjectId } from "../../../domain/ids.ts";
import { ReceiveClock } from "../../../ingest/intake/readings/clock.ts";
import { createCounters, INTAKE_COUNTERS } from "../../../ingest/intake/readings/counters.ts";
import { toReadings } from "../../../ingest/intake/readings/to-readings.ts";
import { encodeHandedOver } from "../../../ingest/journal-record/handed-over.ts";
import { pointsOf } from "../../../ingest/journal-record/journal-points.ts";
import { RECORD_KIND } from "../../../ingest/journal-record/journal-record.ts";
import { encodeReadings } from "../../../ingest/journal-record/readings.ts";

const RECEIVED_MS = Date.UTC(2026, 2, 5, 12);
const PLACE = { latitude: 53.5, longitude: 9.9 };
const USUAL: Omit<Reading, "fixTimeMs" | "fields"> = {
  ...{ timeSource: "device", rawTimeMs: undefined, seq: -1, payloadHash: 1, faults: undefined },
};

function record(readings: readonly Pick<Reading, "fixTimeMs" | "fields">[]): Uint8Array {
  const batch = {
    assetId: "truck-1" as AssetId,
    projectId: "site-1" as ProjectId,
    receivedAtMs: RECEIVED_MS,
    readings: readings.map((reading) => ({ ...USUAL, ...reading })),
  };
  return encodeReadings(batch, { clientHash: 0, packetId: 0, payloadHash: 1 });
}

/** Read long after the message was received. */
const points = (body: Uint8Array, kind: number = RECORD_KIND.readings) =>
  pointsOf([{ sequence: 1, timeMs: RECEIVED_MS + 9e9, kind, body }]);

describe("how late a position was received", () => {
  it("a position that was received more than 60 s after its time has the seconds, by the receipt in its record", () => {
    const body = record([
      { fixTimeMs: RECEIVED_MS - 60_000, fields: PLACE },
      { fixTimeMs: RECEIVED_MS - 60_001, fields: PLACE },
      { fixTimeMs: RECEIVED_MS - 7_800_000, fields: PLACE },
      { fixTimeMs: RECEIVED_MS - 7_800_000, fields: { speed_kmh: 3 } },
      { fixTimeMs: RECEIVED_MS + 30_000, fields: PLACE },
    ]);
    expect(points(body).map(({ fields }) => fields)).toEqual([
      ...[PLACE, { ...PLACE, received_late_s: 60.001 }, { ...PLACE, received_late_s: 7_800 }],
      ...[{ speed_kmh: 3 }, PLACE],
    ]);
  });

  it("a record that another partition passed on has the receipt of the message, not of the passing on", () => {
    const inner = {
      kind: RECORD_KIND.readings,
      body: record([{ fixTimeMs: RECEIVED_MS - 61_000, fields: PLACE }]),
    };
    const body = encodeHandedOver({ origin: { journalId: "j", sequence: 7 }, record: inner });
    expect(points(body, RECORD_KIND.handedOver)).toEqual(points(inner.body));
    expect(points(inner.body)[0]?.fields).toEqual({ ...PLACE, received_late_s: 61 });
  });

  it("a device cannot say itself that a position was late", () => {
    const fields = { ...PLACE, received_late_s: 5_000 };
    const decoded = [{ deviceTimeMs: RECEIVED_MS, seq: undefined, fields, faults: undefined }];
    const [reading] = toReadings(
      decoded,
      { receivedAtMs: RECEIVED_MS, payloadHash: 1 },
      new ReceiveClock(),
      9e9,
      createCounters(INTAKE_COUNTERS),
    );
    expect(reading?.fields).toEqual({ ...PLACE, suspect_received_late_s: 5_000 });
  });
});
