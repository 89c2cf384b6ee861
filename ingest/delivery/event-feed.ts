import type { Logger } from "pino";
import type { StoredEvent } from "../../domain/events.ts";
import type { EventRecords } from "../../storage/ports/events.ts";
import { createWakeablePause } from "../wakeable-pause.ts";
import { createRecentEvents } from "./recent-events.ts";

/** How often the outbox is looked at when nobody pokes, ms; other processes write to it too. */
const POLL_MS = 250;
/** Most events of one look; more follow at once. Chosen: about 350 kB of JSON. */
const LOOK_EVENTS = 500;
/** Events kept at hand for readers that fell behind a little, at least. Chosen: about 2 MB. */
const KEPT_EVENTS = 1_000;
/** Longest pause while the store is away, ms. Chosen. */
const LONGEST_PAUSE_MS = 5_000;

type EventListener = (events: readonly StoredEvent[]) => void;

/** The outbox as it grows. Each event reaches each listener once, ascending by sequence. */
export interface EventFeed {
  /** Sequence of the newest event handed out; until the first one, where the feed began. */
  readonly lastSequence: number;
  /**
   * Hands `listener` every event after `lastSequence` from now on; yields what ends that. A listener
   * must not wait: all share one turn. What it throws is logged and costs it those events.
   */
  subscribe(listener: EventListener): () => void;
  /**
   * The events after `sequence` up to `lastSequence` that are still in memory; `undefined` when some
   * are not, and are to be read from the store.
   */
  recent(sequence: number): readonly StoredEvent[] | undefined;
  /** Says that there are new events, so that none waits for the next look. Never waits. */
  poke(): void;
  /** Ends the look in flight; no listener is called any more. */
  stop(): Promise<void>;
}

export interface EventFeedOptions {
  readonly records: Pick<EventRecords, "after" | "lastSequence">;
  readonly pollMs?: number;
  readonly log: Pick<Logger, "warn" | "error">;
}

/**
 * Follows the outbox from its newest event on, one query in flight. A store that is away is asked
 * again until it is back, and nothing is passed over.
 * @throws DomainError `STORE_UNAVAILABLE` when it is away at the start.
 */
export async function startEventFeed(options: EventFeedOptions): Promise<EventFeed> {
  const { records, pollMs = POLL_MS, log } = options;
  const listeners = new Set<EventListener>();
  let lastSequence = await records.lastSequence();
  const recent = createRecentEvents(lastSequence, KEPT_EVENTS);
  let poked = false;
  let stopped = false;
  const rest = createWakeablePause();

  function handOut(events: readonly StoredEvent[]): void {
    const newest = events.at(-1);
    if (newest === undefined) return;
    // First, so that a listener that looks finds what it is being told.
    recent.add(events);
    lastSequence = newest.sequence;
    for (const listener of [...listeners]) {
      if (!listeners.has(listener)) continue;
      try {
        listener(events);
      } catch (error) {
        log.error({ err: error }, "a reader of events failed");
      }
    }
  }

  /** Waits that long, or until somebody pokes or stops. */
  async function pause(ms: number): Promise<void> {
    if (poked || stopped) return;
    await rest.wait(ms);
  }

  async function follow(): Promise<void> {
    let pauseMs = pollMs;
    while (!stopped) {
      poked = false;
      try {
        const events = await records.after(lastSequence, { limit: LOOK_EVENTS });
        if (stopped) return;
        handOut(events);
        pauseMs = pollMs;
        // A full page: more are there. Sockets get their turn first.
        if (events.length === LOOK_EVENTS) await new Promise((resolve) => setImmediate(resolve));
        else await pause(pauseMs);
      } catch (error) {
        if (pauseMs === pollMs) log.warn({ err: error }, "events cannot be read; trying again");
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
    subscribe(listener) {
      // One listener given twice is two subscriptions.
      const own: EventListener = (events) => listener(events);
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
