import type { Reading, ReadingBatch } from "../../domain/equipment/reading.ts";
import type { AssetId, ProjectId } from "../../domain/ids.ts";
import { RECORD_KIND } from "../../ingest/journal-record/journal-record.ts";
import { encodeReadings } from "../../ingest/journal-record/readings.ts";
import type { Journal } from "../../storage/ports/journal.ts";

/** 2026-03-05 12:00:00 UTC. */
export const FIRST_FIX_MS = Date.UTC(2026, 2, 5, 12);

/** A reading with these fields, as intake makes it. */
export function readingOf(
  fields: Reading["fields"],
  fixTimeMs = FIRST_FIX_MS,
  more: Partial<Reading> = {},
): Reading {
  return {
    fixTimeMs,
    timeSource: "device",
    rawTimeMs: undefined,
    seq: -1,
    payloadHash: 1,
    fields,
    faults: undefined,
    ...more,
  };
}

/** A position that says which number it has: `odometer_km` is `n`. */
export const numbered = (n: number): Reading =>
  readingOf({ latitude: 52.5, longitude: 13.4, odometer_km: n }, FIRST_FIX_MS + n * 1_000);

export function batchOf(
  assetId: string,
  readings: readonly Reading[],
  projectId = "p1",
): ReadingBatch {
  return {
    assetId: assetId as AssetId,
    projectId: projectId as ProjectId,
    receivedAtMs: FIRST_FIX_MS + 500,
    readings,
  };
}

/** Journals a message; resolves with its sequence when it is on disk. */
export function journalReadings(
  journal: Journal,
  batch: ReadingBatch,
  timeMs = FIRST_FIX_MS,
): Promise<number> {
  const body = encodeReadings(batch, { clientHash: 0, packetId: 0, payloadHash: 0 });
  return new Promise((resolve, reject) => {
    const sequence = journal.append(RECORD_KIND.readings, timeMs, body, (error) => {
      if (error === undefined) resolve(sequence);
      else reject(error);
    });
  });
}
