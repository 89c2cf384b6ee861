import { DomainError } from "../../../domain/errors.ts";
import type { QuarantineRecords } from "../../../storage/ports/equipment/quarantine.ts";
import { type MemoryRows, pageOfRows, passes, removeWhere } from "./rows.ts";

/** The quarantine in memory; everything is kept, nothing only counted. */
export function createMemoryQuarantine({ quarantine }: MemoryRows): QuarantineRecords {
  const requestedAtMs = new Map<string, number>();
  return {
    async list({ assetId, projectIds, ...page }) {
      const all = quarantine
        .filter((entry) => assetId === undefined || entry.assetId === assetId)
        .filter((entry) => passes(projectIds, entry.projectId))
        .sort((a, b) => b.receivedAtMs - a.receivedAtMs);
      return { entries: pageOfRows(all, page), total: all.length, dropped: 0 };
    },
    find: async (id) => quarantine.find((entry) => entry.id === id),
    async markReplayed(id, atMs) {
      const i = quarantine.findIndex((entry) => entry.id === id);
      const entry = quarantine[i];
      if (entry === undefined) throw new DomainError("QUARANTINE_NOT_FOUND", id);
      quarantine[i] = { ...entry, replayedAtMs: atMs };
      requestedAtMs.delete(id);
    },
    async requestReplay(id, atMs) {
      if (!quarantine.some((entry) => entry.id === id)) {
        throw new DomainError("QUARANTINE_NOT_FOUND", id);
      }
      requestedAtMs.set(id, atMs);
    },
    async requestedReplays(limit) {
      const order = (id: string): number => requestedAtMs.get(id) ?? 0;
      return quarantine
        .filter((entry) => requestedAtMs.has(entry.id))
        .sort((a, b) => order(a.id) - order(b.id))
        .slice(0, limit);
    },
    async dropReplayRequest(id) {
      requestedAtMs.delete(id);
    },
    async expire(beforeMs) {
      removeWhere(quarantine, (entry) => entry.receivedAtMs < beforeMs);
      return false;
    },
  };
}
