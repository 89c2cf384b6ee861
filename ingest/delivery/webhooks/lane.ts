import type { StoredEvent } from "../../../domain/events/events.ts";
import type { EventRecords } from "../../../storage/ports/events/events.ts";
import type { Webhook, WebhookDelivery } from "../../../storage/ports/events/webhooks.ts";
import type { EventFeed } from "../event-feed.ts";
import { createEventFilter } from "../event-filter.ts";
import { createOutboxFollower } from "../outbox-follower.ts";
import { abandonedDelivery, nextDelivery, untriedDelivery } from "./delivery-log.ts";
import { createJobQueue, type Job } from "./job-queue.ts";
import { webhookMessage } from "./message.ts";
import { createReceiverHealth } from "./receiver-health.ts";
import type { RecordedLane } from "./recorder.ts";
import { RETRY_SPAN_MS } from "./retry.ts";
import type { AttemptResult, SendMessage } from "./sender.ts";

/**
 * One active webhook at work: its queue, its requests in flight, its place in the outbox. Nothing here
 * is shared with another webhook's, so that none waits for another.
 */
export interface Lane extends RecordedLane {
  readonly queued: number;
  readonly inFlight: number;
  /** Neither in flight nor waiting for the store. */
  readonly isQuiet: boolean;
  /** The URL that answered 410; nothing more is sent to it. */
  readonly goneUrl: string | undefined;
  /** Takes over a change of everything but the subscription: that needs a lane of its own. */
  configure(webhook: Webhook): void;
  /** Checks whether there is something to do: new events, the clock moved, the store came back. */
  wake(): void;
  /**
   * Those of the due deliveries that are neither at work already nor too many. Each is then given to
   * `retry` or to `release`.
   */
  admit(due: readonly WebhookDelivery[]): readonly WebhookDelivery[];
  /** Sends a delivery again; `event` undefined: it is no longer kept. */
  retry(delivery: WebhookDelivery, event: StoredEvent | undefined): void;
  release(delivery: WebhookDelivery): void;
  /** Starts nothing more. What is in flight goes on. */
  halt(): void;
}

export interface LaneOptions {
  readonly webhook: Webhook;
  /** Where the last run was, and the events behind it that have a row all the same. */
  readonly cursor: number;
  readonly settled: Set<number>;
  readonly feed: Pick<EventFeed, "lastSequence" | "recent">;
  readonly events: Pick<EventRecords, "after">;
  readonly send: SendMessage;
  readonly signal: AbortSignal;
  readonly record: (lane: RecordedLane, delivery: WebhookDelivery) => void;
  readonly mayRecord: () => boolean;
  readonly onAttempt: (result: AttemptResult) => void;
  readonly onGone: () => void;
  readonly onError: (error: unknown) => void;
  readonly now: () => number;
  /** Uniform in [0, 1). */
  readonly random: () => number;
}

export function openLane(options: LaneOptions): Lane {
  const { settled, send, signal, record, mayRecord, now, random } = options;
  const queue = createJobQueue();
  const elapsed = () => performance.now();
  let webhook = options.webhook;
  const filter = createEventFilter(webhook);
  let health = createReceiverHealth(now, elapsed);
  /** New events without a row, ascending: the cursor stays before the first. */
  const open = new Set<number>();
  /** Events that are queued, in flight or not recorded: not to be started a second time. */
  const busy = new Set<number>();
  let inFlight = 0;
  let unrecorded = 0;
  let isHalted = false;
  let goneUrl: string | undefined;
  let pause: NodeJS.Timeout | undefined;

  const follower = createOutboxFollower({
    from: options.cursor,
    feed: options.feed,
    events: options.events,
    filter: () => filter,
    hasRoom: (count) => queue.hasRoom(count),
    take(events) {
      for (const event of events) {
        if (settled.delete(event.sequence)) continue;
        open.add(event.sequence);
        busy.add(event.sequence);
        queue.addNew({ event, delivery: untriedDelivery(webhook.id, event, now()) });
      }
      pump();
    },
    onError: options.onError,
  });

  function settle(delivery: WebhookDelivery): void {
    unrecorded += 1;
    record(lane, delivery);
  }

  async function attempt({ event, delivery }: Job): Promise<void> {
    const { url } = webhook;
    const asked = health;
    const message = webhookMessage(event);
    inFlight += 1;
    asked.started();
    const result = await send(webhook, message, signal);
    inFlight -= 1;
    // It was cut short by our own end: no attempt, and sent again after the next start.
    if (result.outcome === "stopped") return;
    options.onAttempt(result);
    if (result.outcome === "delivered") asked.succeeded();
    else asked.failed(result.retryAfterMs);
    settle(nextDelivery(delivery, result, random()));
    if (result.outcome === "gone" && url === webhook.url) {
      goneUrl = url;
      options.onGone();
    }
    pump();
    follower.wake();
  }

  /**
   * Whether to give up an event untried: it had as long as all its attempts would have taken, and the
   * receiver was down for as long. The outbox would otherwise grow for as long as a receiver is dead.
   */
  function isHopeless({ event }: Job): boolean {
    return health.downForMs > RETRY_SPAN_MS && now() - event.recordedAtMs > RETRY_SPAN_MS;
  }

  function pump(): void {
    while (!isHalted && goneUrl === undefined && mayRecord() && health.mayStart(inFlight)) {
      const job = queue.next();
      if (job === undefined) return;
      if (isHopeless(job)) {
        settle(abandonedDelivery(job.delivery, now(), "the receiver has been down for days"));
      } else {
        attempt(job).catch(options.onError);
      }
    }
    const { pauseMs } = health;
    if (pauseMs === undefined || inFlight > 0 || queue.size === 0 || isHalted) return;
    clearTimeout(pause);
    pause = setTimeout(pump, pauseMs);
  }

  const lane: Lane = {
    id: webhook.id,
    subscription: webhook.subscription,
    get queued() {
      return queue.size;
    },
    get inFlight() {
      return inFlight;
    },
    get isQuiet() {
      return inFlight === 0 && unrecorded === 0;
    },
    get goneUrl() {
      return goneUrl;
    },
    configure(changed) {
      if (changed.url !== webhook.url) {
        health = createReceiverHealth(now, elapsed);
        goneUrl = undefined;
      }
      webhook = changed;
    },
    wake() {
      pump();
      follower.wake();
    },
    admit(due) {
      const admitted = isHalted
        ? []
        : due.filter(({ eventSequence }) => !busy.has(eventSequence)).slice(0, queue.retryRoom);
      for (const { eventSequence } of admitted) busy.add(eventSequence);
      return admitted;
    },
    retry(delivery, event) {
      if (event === undefined) {
        settle(abandonedDelivery(delivery, now(), "the event is no longer kept"));
        return;
      }
      queue.addRetry({ event, delivery });
      pump();
    },
    release({ eventSequence }) {
      busy.delete(eventSequence);
    },
    cursor() {
      const first = open.values().next();
      return first.done === true ? follower.readTo : first.value - 1;
    },
    settle(sequence) {
      open.delete(sequence);
    },
    recorded(sequence) {
      busy.delete(sequence);
      unrecorded -= 1;
    },
    halt() {
      isHalted = true;
      clearTimeout(pause);
      follower.stop();
    },
  };
  return lane;
}
