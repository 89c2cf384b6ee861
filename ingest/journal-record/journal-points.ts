import type { JournalRecord } from "../../storage/ports/journal.ts";
import type { TelemetryPoint } from "../../storage/ports/telemetry-store.ts";
import { decodeRecord } from "./journal-record.ts";

/** The points of the records, in journal order. */
export function pointsOf(records: readonly JournalRecord[]): readonly TelemetryPoint[] {
  const found: TelemetryPoint[] = [];
  for (const record of records) {
    const entry = readable(record);
    if (entry?.type !== "readings") continue;
    const { assetId, projectId, readings } = entry.batch;
    for (const { fixTimeMs, rawTimeMs, seq, payloadHash, fields } of readings) {
      const kept = rawTimeMs === undefined ? fields : { ...fields, device_time_ms: rawTimeMs };
      found.push({ assetId, projectId, fixTimeMs, seq, payloadHash, fields: kept });
    }
  }
  return found;
}

/** The pipeline reports records that cannot be read; here they hold no points. */
function readable(record: JournalRecord): ReturnType<typeof decodeRecord> {
  try {
    return decodeRecord(record);
  } catch {
    return undefined;
  }
}
