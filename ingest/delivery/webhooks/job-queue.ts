import type { StoredEvent } from "../../../domain/events/events.ts";
import type { WebhookDelivery } from "../../../storage/ports/events/webhooks.ts";

/** An event that waits to be sent, and its row so far. */
export interface Job {
  readonly event: StoredEvent;
  readonly delivery: WebhookDelivery;
}

/** Events that wait for their first attempt, at most, per webhook. Chosen: about 1 MB. */
const MAX_NEW = 1_000;
/** Deliveries that wait for another attempt, at most, in memory. Chosen: many times what is in flight. */
const MAX_RETRIES = 64;

/** What one webhook is to be sent next: new events and retries in turn, each in order. */
export interface JobQueue {
  readonly size: number;
  /** How many more retries fit. */
  readonly retryRoom: number;
  hasRoom(newEvents: number): boolean;
  addNew(job: Job): void;
  addRetry(job: Job): void;
  next(): Job | undefined;
}

export function createJobQueue(): JobQueue {
  // `shift` of so short an array is a memmove of a few kB.
  const fresh: Job[] = [];
  const retries: Job[] = [];
  let isRetrysTurn = false;
  return {
    get size() {
      return fresh.length + retries.length;
    },
    get retryRoom() {
      return MAX_RETRIES - retries.length;
    },
    hasRoom: (newEvents) => fresh.length + newEvents <= MAX_NEW,
    addNew: (job) => fresh.push(job),
    addRetry: (job) => retries.push(job),
    next() {
      isRetrysTurn = !isRetrysTurn;
      const [first, second] = isRetrysTurn ? [fresh, retries] : [retries, fresh];
      return first.shift() ?? second.shift();
    },
  };
}
