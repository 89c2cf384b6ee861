import type { StoredEvent } from "../../domain/events/events.ts";

/** The newest events of the outbox in memory, ascending, without a gap. */
export interface RecentEvents {
  /** Adds what follows on the newest; sequences rise. */
  add(events: readonly StoredEvent[]): void;
  /** Every event after `sequence`; `undefined` when some of them are no longer at hand. */
  after(sequence: number): readonly StoredEvent[] | undefined;
}

/** Keeps at least the newest `keep` of the events after `start`, at most twice as many. */
export function createRecentEvents(start: number, keep: number): RecentEvents {
  let events: StoredEvent[] = [];
  /** Everything after this sequence is at hand. */
  let floor = start;

  return {
    add(more) {
      events.push(...more);
      if (events.length <= 2 * keep) return;
      floor = events.at(-keep - 1)?.sequence ?? floor;
      events = events.slice(-keep);
    },

    after(sequence) {
      if (sequence < floor) return undefined;
      // From the end: readers are nearly always a few events behind.
      const last = events.findLastIndex((event) => event.sequence <= sequence);
      return events.slice(last + 1);
    },
  };
}
