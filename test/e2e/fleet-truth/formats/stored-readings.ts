import type { DecodedReading } from "../../../../domain/equipment/reading.ts";
import type { ApiClient } from "../../../support/api-client.ts";

interface TelemetryPage {
  readonly data: readonly ({ readonly timestamp: string } & Readonly<Record<string, number>>)[];
  readonly has_more: boolean;
}

/**
 * The stored rows of an asset over a run, ascending, as its decoder would return them; faults are not
 * telemetry. @throws Error when they are more than a page holds.
 */
export async function storedReadings(
  api: ApiClient,
  assetId: string,
  { startMs, endMs }: { readonly startMs: number; readonly endMs: number },
): Promise<readonly DecodedReading[]> {
  // A time that is cut to whole seconds may lie before the start.
  const from = new Date(startMs - 60_000).toISOString();
  const query = new URLSearchParams({ from, to: new Date(endMs).toISOString(), limit: "10000" });
  const page = await api.get<TelemetryPage>(`/equipment/assets/${assetId}/telemetry?${query}`);
  if (page.has_more) throw new Error(`more than one page of ${assetId}`);
  return page.data.map(({ timestamp, ...fields }) => ({
    deviceTimeMs: Date.parse(timestamp),
    seq: undefined,
    fields,
    faults: undefined,
  }));
}
