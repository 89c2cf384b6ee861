import type { Logger } from "pino";
import type { StoredEvent } from "../../domain/events/events.ts";
import { createWakeablePause } from "../pacing/wakeable-pause.ts";
import { createRecentEvents, type Sequenced } from "./recent-events.ts";

/** How often the outbox is polled without a wake-up, ms; other processes write to it too. */
const POLL_MS = 250;
/** Most events of one poll; more follow at once. Chosen: about 350 kB of JSON. */
const POLL_EVENTS = 500;
/** Events kept at hand for readers that fell behind a little, at least. Chosen: about 2 MB. */
const KEPT_EVENTS = 1_000;
/**
 * Longest pause while the store is away, ms. Longer delays events after an outage; shorter asks a store that is
 * down more often.
 */
const LONGEST_PAUSE_MS = 5_000;

/**
 * The newest end of a sequence of rows that grows: the outbox, or the changes of alerts. A reader has a place of its
 * own, a sequence, and reads on from there with `recent` or from the store. The feed hands nobody an event: whoever
 * subscribes late, or is called late, finds everything behind its place all the same.
 */
export interface Feed<T extends Sequenced> {
  /** Sequence of the newest event that was seen; until the first one, where the feed began. */
  readonly lastSequence: number;
  /**
   * Calls `wake` whenever there are new events; yields what ends that. All listeners share one turn, so
   * `wake` must not block. What it throws is logged.
   */
  subscribe(wake: () => void): () => void;
  /**
   * The events after `sequence` up to `lastSequence` that are still in memory; `undefined` when some
   * are not, and are to be read from the store.
   */
  recent(sequence: number): readonly T[] | undefined;
  /** Says that there are new events, so that none waits for the next poll. Never waits. */
  poke(): void;
  /** Ends the query in flight; no listener is called any more. */
  stop(): Promise<void>;
}

/** The feed of the outbox. */
export type EventFeed = Feed<StoredEvent>;

export interface FeedOptions<T extends Sequenced> {
  /** Where the rows are; sequences become visible in order. */
  readonly records: {
    after(after: number, filter: { readonly limit: number }): Promise<readonly T[]>;
    lastSequence(): Promise<number>;
  };
  /** What the rows are, for the log; absent: events. */
  readonly name?: string;
  readonly pollMs?: number;
  readonly log: Pick<Logger, "warn" | "error">;
}

/**
 * Follows the rows from the newest one on, one query in flight. A store that is away is asked
 * again until it is back, and nothing is passed over.
 * @throws DomainError `STORE_UNAVAILABLE` when it is away at the start.
 */
export async function startEventFeed<T extends Sequenced>(
  options: FeedOptions<T>,
): Promise<Feed<T>> {
  const { records, name = "events", pollMs = POLL_MS, log } = options;
  const listeners = new Set<() => void>();
  let lastSequence = await records.lastSequence();
  const recent = createRecentEvents<T>(lastSequence, KEPT_EVENTS);
  let poked = false;
  let stopped = false;
  const rest = createWakeablePause();

  function add(events: readonly T[]): void {
    const newest = events.at(-1);
    if (newest === undefined) return;
    recent.add(events);
    lastSequence = newest.sequence;
    for (const wake of [...listeners]) {
      if (!listeners.has(wake)) continue;
      try {
        wake();
      } catch (error) {
        log.error({ err: error }, "a reader of events failed");
      }
    }
  }

  /** Waits that long, or until a wake-up or the stop. */
  async function pause(ms: number): Promise<void> {
    if (poked || stopped) return;
    await rest.wait(ms);
  }

  async function follow(): Promise<void> {
    let pauseMs = pollMs;
    while (!stopped) {
      poked = false;
      try {
        const events = await records.after(lastSequence, { limit: POLL_EVENTS });
        if (stopped) return;
        add(events);
        pauseMs = pollMs;
        // A full page: more are there. Sockets get their turn first.
        if (events.length === POLL_EVENTS) await new Promise((resolve) => setImmediate(resolve));
        else await pause(pauseMs);
      } catch (error) {
        if (pauseMs === pollMs) log.warn({ err: error }, `${name} cannot be read; trying again`);
        pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
        await pause(pauseMs);
      }
    }
  }

  const following = follow();

  return {
    get lastSequence() {
      return lastSequence;
    },
    subscribe(wake) {
      // One function given twice is two subscriptions.
      const own = () => wake();
      listeners.add(own);
      return () => {
        listeners.delete(own);
      };
    },
    recent: (sequence) => recent.after(sequence),
    poke() {
      poked = true;
      rest.wake();
    },
    async stop() {
      stopped = true;
      rest.wake();
      await following;
    },
  };
}
