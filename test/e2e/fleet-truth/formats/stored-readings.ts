import type { DecodedReading } from "../../../../domain/equipment/reading.ts";
import type { ApiClient } from "../../../support/api-client.ts";
import { telemetryRows } from "../../../support/telemetry-rows.ts";

/** The stored rows of an asset over a run, ascending, as its decoder would return them; faults are not telemetry. */
export async function storedReadings(
  api: ApiClient,
  assetId: string,
  { startMs, endMs }: { readonly startMs: number; readonly endMs: number },
): Promise<readonly DecodedReading[]> {
  // A time that is cut to whole seconds may lie before the start.
  const from = new Date(startMs - 60_000).toISOString();
  const rows = await telemetryRows(api, assetId, { from, to: new Date(endMs).toISOString() });
  return rows.map(({ timestamp, ...fields }) => ({
    deviceTimeMs: Date.parse(timestamp),
    seq: undefined,
    fields,
    faults: undefined,
  }));
}
