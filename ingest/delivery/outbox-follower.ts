import type { Feed } from "./event-feed.ts";
import type { Sequenced } from "./recent-events.ts";

/**
 * Events of one read. A smaller page costs more queries for a reader that is behind; a larger one holds
 * more in memory per reader (250 events are some 180 kB).
 */
const PAGE_EVENTS = 250;
/** Pause after a read that failed, ms: long enough to spare a store that is away, short for a reader. */
const RETRY_MS = 500;

/**
 * Brings one reader the events after its place, in order, each once. The follower reads on from
 * `readTo` itself, out of the feed's memory or out of the store. The feed only says that there is
 * something to read: a wake-up that is lost or comes early costs time, never an event.
 */
export interface OutboxFollower {
  /** Every event up to here was taken or is not wanted. */
  readonly readTo: number;
  /** Reads on as long as there are events and room; one read at a time. Never throws. */
  wake(): void;
  stop(): void;
}

/** What a reader wants, of rows in memory and, as `query`, of the store. */
interface RowFilter<T, Query> {
  wants(row: T): boolean;
  readonly query: Query;
}

export interface OutboxFollowerOptions<T extends Sequenced, Query extends object> {
  /** The reader's place: the sequence up to which it has dealt with everything. */
  readonly from: number;
  readonly feed: Pick<Feed<T>, "lastSequence" | "recent">;
  readonly events: {
    after(after: number, filter: Query & { readonly limit: number }): Promise<readonly T[]>;
  };
  /** What the reader wants now; another object as soon as that changes. */
  readonly filter: () => RowFilter<T, Query>;
  readonly hasRoom: (count: number) => boolean;
  /** Takes wanted events, ascending. Called only with as many as there is room for. */
  readonly take: (events: readonly T[]) => void;
  /** Called with the error of a read that failed; it is repeated after a pause. */
  readonly onError: (error: unknown) => void;
}

export function createOutboxFollower<T extends Sequenced, Query extends object>(
  options: OutboxFollowerOptions<T, Query>,
): OutboxFollower {
  const { feed, events, filter, hasRoom, take, onError } = options;
  let readTo = options.from;
  let isAsked = false;
  let isReading = false;
  let isStopped = false;
  let retry: NodeJS.Timeout | undefined;

  /** Passes over the page up to `to` and takes what is wanted of it. */
  function pass(page: readonly T[], to: number): void {
    const { wants } = filter();
    const wanted = page.filter((event) => event.sequence > readTo && wants(event));
    readTo = Math.max(readTo, to);
    if (wanted.length > 0) take(wanted);
  }

  /** A page of what the feed still has in memory; `undefined`: some of it is in the store only. */
  function readMemory(): readonly T[] | undefined {
    return feed.recent(readTo)?.slice(0, PAGE_EVENTS);
  }

  async function readStore(): Promise<void> {
    // Sequences become visible in order, so a page that is not full has everything up to here.
    const visibleTo = feed.lastSequence;
    const asked = filter();
    const page = await events.after(readTo, { ...asked.query, limit: PAGE_EVENTS });
    // A subscription that grew meanwhile may want events that this query left out.
    if (isStopped || filter() !== asked) return;
    const last = page.at(-1)?.sequence ?? readTo;
    pass(page, page.length < PAGE_EVENTS ? Math.max(last, visibleTo) : last);
  }

  async function readOn(): Promise<void> {
    try {
      while (isAsked && !isStopped) {
        isAsked = false;
        while (!isStopped && hasRoom(PAGE_EVENTS)) {
          const page = readMemory();
          if (page === undefined) {
            await readStore();
            continue;
          }
          if (page.length === 0) break;
          pass(page, page.at(-1)?.sequence ?? readTo);
        }
      }
    } finally {
      // In the turn of the last check of `isAsked`: no wake-up falls in between.
      isReading = false;
    }
  }

  function wake(): void {
    isAsked = true;
    if (isReading || isStopped) return;
    isReading = true;
    readOn().catch((error: unknown) => {
      clearTimeout(retry);
      if (!isStopped) retry = setTimeout(wake, RETRY_MS);
      onError(error);
    });
  }

  return {
    get readTo() {
      return readTo;
    },
    wake,
    stop() {
      isStopped = true;
      clearTimeout(retry);
    },
  };
}
