import type { JournalPlaces } from "../../../storage/ports/platform/journal-places.ts";

/** Places of followers of shared journals in memory. */
export function createMemoryJournalPlaces(): JournalPlaces {
  const places = new Map<string, number>();
  const keyOf = (journalId: string, reader: string) => JSON.stringify([journalId, reader]);
  return {
    find: async (journalId, reader) => places.get(keyOf(journalId, reader)) ?? 0,
    async advance(journalId, reader, sequence) {
      const key = keyOf(journalId, reader);
      places.set(key, Math.max(sequence, places.get(key) ?? 0));
    },
  };
}
