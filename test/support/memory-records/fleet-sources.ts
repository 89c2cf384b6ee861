import { DomainError } from "../../../domain/errors.ts";
import type { AssetId, FleetSourceId } from "../../../domain/ids.ts";
import { requireRoom } from "../../../domain/platform/record-limits.ts";
import type {
  FleetSourceRecords,
  PolledFleetSource,
  TakenSections,
} from "../../../storage/ports/equipment/fleet-sources.ts";
import type { MemoryRows } from "./rows.ts";

/** Fleet sources, their polls and what was taken, in memory. */
export function createMemoryFleetSources({
  fleetSources: sources,
}: MemoryRows): FleetSourceRecords {
  const taken = new Map<FleetSourceId, Map<AssetId, TakenSections>>();

  function existing(id: FleetSourceId): PolledFleetSource {
    const polled = sources.get(id);
    if (polled === undefined) throw new DomainError("SOURCE_NOT_FOUND", id);
    return polled;
  }

  return {
    async insert(source) {
      requireRoom("fleet sources", sources.size);
      if (sources.has(source.id)) throw new DomainError("ID_CONFLICT", source.id);
      sources.set(source.id, { source, lastPoll: undefined, pollRequestedAtMs: undefined });
      taken.set(source.id, new Map());
    },
    list: async () =>
      [...sources.values()].sort(
        ({ source: a }, { source: b }) => a.createdAtMs - b.createdAtMs || (a.id < b.id ? -1 : 1),
      ),
    find: async (id) => sources.get(id),
    async update(id, change) {
      const before = existing(id);
      const after = { ...before, source: change(before.source) };
      sources.set(id, after);
      return after;
    },
    async delete(id) {
      existing(id);
      sources.delete(id);
      taken.delete(id);
    },
    async requestPoll(id, atMs) {
      sources.set(id, { ...existing(id), pollRequestedAtMs: atMs });
    },
    taken: async (id) =>
      [...(taken.get(id)?.values() ?? [])].sort((a, b) => (a.assetId < b.assetId ? -1 : 1)),
    async recordPoll(id, lastPoll, rows) {
      const before = sources.get(id);
      if (before === undefined) return;
      if (lastPoll !== undefined) sources.set(id, { ...before, lastPoll });
      for (const row of rows) taken.get(id)?.set(row.assetId, row);
    },
  };
}
