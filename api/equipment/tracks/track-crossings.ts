import type { AssetId, ProjectId } from "../../../domain/ids.ts";
import { isoTime } from "../../../domain/iso-time.ts";
import type { Visit, VisitEnd, VisitRecords } from "../../../storage/ports/equipment/visits.ts";
import type { Track, TrackCrossing } from "./track-schemas.ts";

/** Most visits of one track: 72 h of a truck that crosses a fence every 5 min are 860. */
const MOST_VISITS = 1_000;

/** The entries and exits of an asset in `[fromMs, toMs)`; those of the newest visits, where there are too many. */
export async function readCrossings(
  visits: Pick<VisitRecords, "list">,
  assetId: AssetId,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
  seen: { readonly projectIds?: readonly ProjectId[] },
): Promise<Pick<Track, "crossings" | "crossings_complete">> {
  const page = { assetId, fromMs, toMs, limit: MOST_VISITS, offset: 0 };
  const found = await visits.list({ ...page, ...seen });
  const crossings = found.visits
    .flatMap((visit) => [
      { atMs: visit.entered.atMs, view: crossing(visit, "entered", visit.entered) },
      ...(visit.exited === undefined
        ? []
        : [{ atMs: visit.exited.atMs, view: crossing(visit, "exited", visit.exited) }]),
    ])
    .filter(({ atMs }) => atMs >= fromMs && atMs < toMs)
    .sort((a, b) => a.atMs - b.atMs)
    .map(({ view }) => view);
  return { crossings, crossings_complete: found.total <= found.visits.length };
}

const crossing = (visit: Visit, type: TrackCrossing["type"], end: VisitEnd): TrackCrossing => ({
  geofence_id: visit.geofenceId,
  visit_id: visit.id,
  type,
  timestamp: isoTime(end.atMs),
  location: end.location,
  accuracy_meters: end.accuracyM,
  cause: end.cause,
  inferred: visit.inferred,
});
