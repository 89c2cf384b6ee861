import type {
  EventReader,
  EventReaderRecords,
} from "../../../storage/ports/events/event-readers.ts";
import type { MemoryRows } from "./rows.ts";

/** Places of readers of the outbox in memory. */
export function createMemoryEventReaders(rows: MemoryRows): EventReaderRecords {
  const readers = new Map<string, EventReader & { readonly seenAtMs: number }>();

  function change(id: string, by: Partial<EventReader & { readonly seenAtMs: number }>): void {
    const before = readers.get(id);
    if (before !== undefined) readers.set(id, { ...before, ...by });
  }

  return {
    find: async (id) => readerOf(readers.get(id)),
    async open(id, seenAtMs) {
      const { sequence = rows.lastSequence, subscriptions = [] } = readers.get(id) ?? {};
      readers.set(id, { sequence, subscriptions, seenAtMs });
      return { sequence, subscriptions };
    },
    async subscribe(id, subscriptions) {
      change(id, { subscriptions });
    },
    async advance(sequences, seenAtMs) {
      for (const [id, to] of sequences) {
        change(id, { sequence: Math.max(to, readers.get(id)?.sequence ?? 0), seenAtMs });
      }
    },
    async remove(id) {
      readers.delete(id);
    },
    count: async (prefix) => [...readers.keys()].filter((id) => id.startsWith(prefix)).length,
    async expire(beforeMs) {
      for (const [id, { seenAtMs }] of [...readers]) if (seenAtMs < beforeMs) readers.delete(id);
      return false;
    },
  };
}

function readerOf(reader: EventReader | undefined): EventReader | undefined {
  return reader && { sequence: reader.sequence, subscriptions: reader.subscriptions };
}
