import { DomainError } from "../../../domain/errors.ts";
import type { ForwarderId } from "../../../domain/ids.ts";
import { requireRoomByProject } from "../../../domain/platform/record-limits.ts";
import type {
  Forwarder,
  ForwarderProgress,
  ForwarderRecords,
} from "../../../storage/ports/events/forwarders.ts";
import { compareText, type MemoryRows } from "./rows.ts";

/** Forwarders and their progress in memory. */
export function createMemoryForwarders({ forwarders }: MemoryRows): ForwarderRecords {
  /** By `{forwarderId} {journalId}`. */
  const progress = new Map<string, ForwarderProgress>();

  function existing(id: ForwarderId): Forwarder {
    const forwarder = forwarders.get(id);
    if (forwarder === undefined) throw new DomainError("FORWARDER_NOT_FOUND", id);
    return forwarder;
  }

  return {
    async insert(forwarder) {
      requireRoomByProject("forwarders", forwarder, [...forwarders.values()]);
      if (forwarders.has(forwarder.id)) throw new DomainError("ID_CONFLICT", forwarder.id);
      forwarders.set(forwarder.id, forwarder);
    },
    list: async () =>
      [...forwarders.values()].sort(
        (a, b) => a.createdAtMs - b.createdAtMs || compareText(a.id, b.id),
      ),
    find: async (id) => forwarders.get(id),
    async update(id, change) {
      const forwarder = change(existing(id));
      const others = [...forwarders.values()].filter((other) => other.id !== id);
      requireRoomByProject("forwarders", forwarder, others);
      forwarders.set(id, forwarder);
      return forwarder;
    },
    async delete(id) {
      existing(id);
      forwarders.delete(id);
      for (const [key, row] of progress) if (row.forwarderId === id) progress.delete(key);
    },
    progress: async (id) =>
      [...progress]
        .sort(([a], [b]) => compareText(a, b))
        .map(([, row]) => row)
        .filter((row) => id === undefined || row.forwarderId === id),
    async record(rows) {
      for (const row of rows) {
        const key = `${row.forwarderId} ${row.journalId}`;
        const isBack = row.sequence < (progress.get(key)?.sequence ?? 0);
        if (forwarders.has(row.forwarderId) && !isBack) progress.set(key, row);
      }
    },
  };
}
