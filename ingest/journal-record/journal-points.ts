import { LATE_FIELD, lateSeconds } from "../../domain/equipment/lateness.ts";
import type { Reading } from "../../domain/equipment/reading.ts";
import type { JournalRecord } from "../../storage/ports/journal.ts";
import type { TelemetryPoint } from "../../storage/ports/telemetry-store.ts";
import { decodeRecord } from "./journal-record.ts";

/** The points of the records, in journal order. */
export function pointsOf(records: readonly JournalRecord[]): readonly TelemetryPoint[] {
  const found: TelemetryPoint[] = [];
  for (const record of records) {
    const entry = readable(record);
    if (entry?.type !== "readings") continue;
    const { assetId, projectId, receivedAtMs, readings } = entry.batch;
    for (const reading of readings) {
      const { fixTimeMs, rawTimeMs, seq, payloadHash } = reading;
      const lateS = lateSeconds(fixTimeMs, receivedAtMs);
      const isUsual = rawTimeMs === undefined && lateS === undefined;
      const fields = isUsual ? reading.fields : storedFields(reading, lateS);
      found.push({ assetId, projectId, fixTimeMs, seq, payloadHash, fields });
    }
  }
  return found;
}

/** A reading's fields, and what only stores keep of it: a time of its device that was not used, or its lateness. */
function storedFields(
  { rawTimeMs, fields }: Reading,
  lateS: number | undefined,
): Reading["fields"] {
  if (rawTimeMs !== undefined) return { ...fields, device_time_ms: rawTimeMs };
  if (lateS === undefined || fields["latitude"] === undefined) return fields;
  return { ...fields, [LATE_FIELD]: lateS };
}

/** The pipeline reports records that cannot be read; here they hold no points. */
function readable(record: JournalRecord): ReturnType<typeof decodeRecord> {
  try {
    return decodeRecord(record);
  } catch {
    return undefined;
  }
}
