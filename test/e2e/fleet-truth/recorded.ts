import type { EventView } from "../../../domain/events/event-view.ts";
import type { ApiClient } from "../../support/api-client.ts";
import type { CrossingType } from "./true-crossings.ts";

/** A crossing as the service lists it; not withdrawn. */
export interface RecordedCrossing {
  readonly eventId: string;
  readonly assetId: string;
  readonly fenceId: string;
  readonly type: CrossingType;
  /** Fix time, on the device's clock, ms since the Unix epoch. */
  readonly atMs: number;
  readonly inferred: boolean;
  readonly cause: string;
}

const PAGE_EVENTS = 1_000;
const PAGE_VISITS = 100;
const USUAL_CAUSE = "crossing";

/** Every crossing that the outbox holds now: of each event its newest revision, unless it is withdrawn. */
export async function crossingsInEvents(
  api: Pick<ApiClient, "get">,
): Promise<readonly RecordedCrossing[]> {
  const newest = new Map<string, EventView>();
  let cursor = "0";
  for (let hasMore = true; hasMore; ) {
    const page = await api.get<{
      readonly data: readonly EventView[];
      readonly pagination: { readonly next_cursor: string; readonly has_more: boolean };
    }>(`/events?type=equipment.geofence.*&limit=${PAGE_EVENTS}&cursor=${cursor}`);
    for (const event of page.data) {
      const before = newest.get(event.id);
      if (before === undefined || before.revision < event.revision) newest.set(event.id, event);
    }
    cursor = page.pagination.next_cursor;
    hasMore = page.pagination.has_more;
  }
  return [...newest.values()].filter(({ withdrawn }) => !withdrawn).map(crossingOf);
}

function crossingOf(event: EventView): RecordedCrossing {
  return {
    eventId: event.id,
    assetId: event.asset_id ?? "",
    fenceId: event.geofence_id ?? "",
    type: event.type.startsWith("equipment.geofence.entered") ? "entered" : "exited",
    atMs: Date.parse(event.occurred_at),
    inferred: event.inferred,
    cause: event.cause ?? USUAL_CAUSE,
  };
}

interface VisitEndView {
  readonly cause: string;
}

/** The same from the list of visits, which holds none that is withdrawn. */
export async function crossingsInVisits(
  api: Pick<ApiClient, "get">,
): Promise<readonly RecordedCrossing[]> {
  const crossings: RecordedCrossing[] = [];
  for (let offset = 0, hasMore = true; hasMore; offset += PAGE_VISITS) {
    const page = await api.get<{
      readonly data: readonly {
        readonly id: string;
        readonly asset_id: string;
        readonly geofence_id: string;
        readonly entered_at: string;
        readonly exited_at?: string;
        readonly inferred: boolean;
        readonly entry: VisitEndView;
        readonly exit?: VisitEndView;
      }[];
      readonly pagination: { readonly has_more: boolean };
    }>(`/equipment/visits?limit=${PAGE_VISITS}&offset=${offset}`);
    for (const visit of page.data) {
      const common = {
        eventId: visit.id,
        assetId: visit.asset_id,
        fenceId: visit.geofence_id,
        inferred: visit.inferred,
      };
      const { entry, exit, entered_at, exited_at } = visit;
      crossings.push({ ...common, type: "entered", atMs: Date.parse(entered_at), ...entry });
      if (exit === undefined || exited_at === undefined) continue;
      crossings.push({ ...common, type: "exited", atMs: Date.parse(exited_at), ...exit });
    }
    hasMore = page.pagination.has_more;
  }
  return crossings;
}

/**
 * The table that must come out the same whatever the order of arrival: one sorted line per crossing.
 * Ids and revisions are random and are left out.
 */
export function crossingTable(crossings: readonly RecordedCrossing[]): readonly string[] {
  return crossings
    .map(({ assetId, fenceId, type, atMs, inferred, cause }) =>
      [assetId, fenceId, new Date(atMs).toISOString(), type, inferred, cause].join(" "),
    )
    .toSorted();
}
