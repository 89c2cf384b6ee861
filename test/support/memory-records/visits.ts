import type { AssetId } from "../../../domain/ids.ts";
import type { Visit, VisitRecords } from "../../../storage/ports/equipment/visits.ts";
import { type MemoryRows, pageOfRows, passes } from "./rows.ts";

/** Visits in memory; they are written by the pipeline's commit. */
export function createMemoryVisits({ visits }: MemoryRows): VisitRecords {
  const stored = (): Visit[] => [...visits.values()].filter((visit) => !visit.withdrawn);

  function newest(): Visit[] {
    const byPair = new Map<string, Visit>();
    for (const visit of stored().sort((a, b) => a.ordinal - b.ordinal)) {
      byPair.set(`${visit.assetId} ${visit.geofenceId}`, visit);
    }
    return [...byPair.values()];
  }

  return {
    async list({ projectIds, geofenceId, assetId, fromMs, toMs, ...page }) {
      const all = stored()
        .filter((visit) => passes(projectIds, visit.projectId))
        .filter((visit) => geofenceId === undefined || visit.geofenceId === geofenceId)
        .filter((visit) => assetId === undefined || visit.assetId === assetId)
        .filter((visit) => toMs === undefined || visit.entered.atMs < toMs)
        .filter((visit) => fromMs === undefined || (visit.exited?.atMs ?? Infinity) > fromMs)
        .sort((a, b) => b.entered.atMs - a.entered.atMs || (a.id < b.id ? -1 : 1));
      return { visits: pageOfRows(all, page), total: all.length };
    },
    newest: async () => newest(),
    since: async (assetId, fromOrdinal) => visitsSince(stored(), assetId, fromOrdinal),
    async expire(beforeMs) {
      const kept = new Set(newest());
      for (const visit of [...visits.values()]) {
        const endMs = visit.exited?.atMs ?? (visit.withdrawn ? visit.entered.atMs : Infinity);
        if (endMs < beforeMs && !kept.has(visit)) visits.delete(visit.id);
      }
      return false;
    },
  };
}

/** What `VisitRecords.since` yields of visits that are not withdrawn. */
export function visitsSince(
  stored: readonly Visit[],
  assetId: AssetId,
  fromOrdinal: number,
): readonly Visit[] {
  const ofAsset = stored
    .filter((visit) => visit.assetId === assetId)
    .toSorted((a, b) => a.ordinal - b.ordinal);
  const later = ofAsset.filter((visit) => visit.ordinal >= fromOrdinal);
  const fences = new Set(later.map((visit) => visit.geofenceId));
  const before = [...fences].flatMap(
    (id) =>
      ofAsset.findLast((visit) => visit.geofenceId === id && visit.ordinal < fromOrdinal) ?? [],
  );
  return [...before, ...later].toSorted((a, b) => a.ordinal - b.ordinal);
}
