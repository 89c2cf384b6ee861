import type { StoredEvent } from "../../domain/events/events.ts";

/** What a feed hands on: something with a place in one order. */
export interface Sequenced {
  /** Rises strictly in the order in which these become visible; may have gaps. */
  readonly sequence: number;
}

/** The newest end of a feed in memory, ascending, without a gap. */
export interface RecentEvents<T extends Sequenced> {
  /** Adds what follows on the newest; sequences rise. */
  add(events: readonly T[]): void;
  /** Everything after `sequence`; `undefined` when some of it is no longer at hand. */
  after(sequence: number): readonly T[] | undefined;
}

/** Keeps at least the newest `keep` of what comes after `start`, at most twice as many. */
export function createRecentEvents<T extends Sequenced = StoredEvent>(
  start: number,
  keep: number,
): RecentEvents<T> {
  let events: T[] = [];
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
