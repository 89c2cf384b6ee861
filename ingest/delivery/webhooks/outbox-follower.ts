import type { StoredEvent } from "../../../domain/events.ts";
import type { EventRecords } from "../../../storage/ports/events.ts";
import type { EventFeed } from "../event-feed.ts";
import type { EventFilter } from "./event-filter.ts";

/** Events of one look into the outbox. Chosen. */
const PAGE_EVENTS = 250;

/**
 * Brings one webhook its events in order, each once. Two states: *live*, handed on from the feed; and
 * *behind*, read from the outbox in pages whenever there is room. It starts behind, and falls behind
 * when there is no room for what the feed brings: nothing is kept in memory that has no room.
 */
export interface OutboxFollower {
  /** Every event up to here was taken or is not wanted. */
  readonly readTo: number;
  /** Passes on what the feed hands out. */
  offer(events: readonly StoredEvent[]): void;
  /** Goes on reading when it is behind and there is room; one read at a time. Never throws. */
  wake(): void;
  stop(): void;
}

export function createOutboxFollower(options: {
  readonly from: number;
  readonly feed: Pick<EventFeed, "lastSequence" | "recent">;
  readonly events: Pick<EventRecords, "after">;
  readonly filter: () => EventFilter;
  readonly hasRoom: (count: number) => boolean;
  /** Takes wanted events, ascending. Called only with as many as there is room for. */
  readonly take: (events: readonly StoredEvent[]) => void;
  /** Told of a read that failed; it is tried again at the next `wake`. */
  readonly onError: (error: unknown) => void;
}): OutboxFollower {
  const { feed, events, filter, hasRoom, take, onError } = options;
  let readTo = options.from;
  let isLive = false;
  let isReading = false;
  let isStopped = false;

  /** Passes on all of them, or none. */
  function passOn(batch: readonly StoredEvent[]): boolean {
    const { wants } = filter();
    // What the feed hands out just now may have been taken from its memory a moment ago.
    const wanted = batch.filter((event) => event.sequence > readTo && wants(event));
    if (!hasRoom(wanted.length)) return false;
    if (wanted.length > 0) take(wanted);
    readTo = Math.max(readTo, batch.at(-1)?.sequence ?? 0);
    return true;
  }

  /** Becomes live when the feed still has everything that is missing, in the same turn. */
  function join(): boolean {
    const missing = feed.recent(readTo);
    if (missing === undefined) return false;
    isLive = passOn(missing);
    return isLive;
  }

  async function readOn(): Promise<void> {
    while (!isStopped && !join() && hasRoom(PAGE_EVENTS)) {
      // Sequences become visible in order, so a page that is not full has all up to here.
      const visibleTo = feed.lastSequence;
      const { query, wants } = filter();
      const page = await events.after(readTo, { ...query, limit: PAGE_EVENTS });
      if (isStopped) return;
      const last = page.at(-1)?.sequence ?? readTo;
      // The subscription may have changed meanwhile.
      const wanted = page.filter(wants).filter(filter().wants);
      if (wanted.length > 0) take(wanted);
      readTo = page.length < PAGE_EVENTS ? Math.max(last, visibleTo, readTo) : last;
      // Nothing more to read now: what the feed brings meanwhile is in its memory.
      if (page.length < PAGE_EVENTS) {
        join();
        return;
      }
    }
  }

  return {
    get readTo() {
      return readTo;
    },
    offer(batch) {
      if (isLive && !isStopped) isLive = passOn(batch);
    },
    wake() {
      if (isLive || isReading || isStopped) return;
      isReading = true;
      readOn()
        .catch(onError)
        .finally(() => {
          isReading = false;
        });
    },
    stop() {
      isStopped = true;
    },
  };
}
