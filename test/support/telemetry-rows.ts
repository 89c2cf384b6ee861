import type { ApiClient } from "./api-client.ts";

/** A row of `GET /equipment/assets/{id}/telemetry`. */
type TelemetryRow = { readonly timestamp: string } & Readonly<Record<string, number>>;

interface TelemetryPage {
  readonly data: readonly TelemetryRow[];
  readonly pagination: { readonly next_cursor?: string };
}

/** Every stored row of an asset in a range of time, ascending, through all pages. */
export async function telemetryRows(
  api: Pick<ApiClient, "get">,
  assetId: string,
  range: { readonly from: string; readonly to: string; readonly fields?: string },
): Promise<readonly TelemetryRow[]> {
  const rows: TelemetryRow[] = [];
  let place: { readonly cursor?: string } | undefined = {};
  while (place !== undefined) {
    const query = new URLSearchParams({ ...range, ...place, limit: "1000" });
    const page: TelemetryPage = await api.get(`/equipment/assets/${assetId}/telemetry?${query}`);
    rows.push(...page.data);
    const next = page.pagination.next_cursor;
    place = next === undefined ? undefined : { cursor: next };
  }
  return rows;
}
