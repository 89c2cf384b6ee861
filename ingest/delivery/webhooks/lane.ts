import type { StoredEvent } from "../../../domain/events/events.ts";
import type { EventRecords } from "../../../storage/ports/events/events.ts";
import type { Webhook, WebhookDelivery } from "../../../storage/ports/events/webhooks.ts";
import type { EventFeed } from "../event-feed.ts";
import { createEventFilter } from "../event-filter.ts";
import { createOutboxFollower, type OutboxFollower } from "../outbox-follower.ts";
import { abandonedDelivery, nextDelivery, untriedDelivery } from "./delivery-log.ts";
import { createJobQueue, type Job } from "./job-queue.ts";
import { webhookMessage } from "./message.ts";
import { createReceiverHealth, type ReceiverHealth } from "./receiver-health.ts";
import type { RecordedLane } from "./recorder.ts";
import { RETRY_SPAN_MS } from "./retry.ts";
import type { AttemptResult, SendMessage } from "./sender.ts";

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

/**
 * One active webhook at work: its queue, its requests in flight, its place in the outbox. Nothing here
 * is shared with another webhook's, so that none waits for another.
 */
export class Lane implements RecordedLane {
  readonly #options: LaneOptions;
  readonly #queue = createJobQueue();
  #webhook: Webhook;
  readonly #filter: ReturnType<typeof createEventFilter>;
  #health: ReceiverHealth;
  /** New events without a row, ascending: the cursor stays before the first. */
  readonly #open = new Set<number>();
  /** Events that are queued, in flight or not recorded: not to be started a second time. */
  readonly #busy = new Set<number>();
  #inFlight = 0;
  #unrecorded = 0;
  #isHalted = false;
  #goneUrl: string | undefined;
  #pause: NodeJS.Timeout | undefined;
  readonly #follower: OutboxFollower;
  readonly id: Webhook["id"];
  readonly subscription: Webhook["subscription"];

  constructor(options: LaneOptions) {
    this.#options = options;
    this.#webhook = this.#options.webhook;
    this.#filter = createEventFilter(this.#webhook);
    this.#health = createReceiverHealth(this.#options.now, elapsedMs);
    this.#follower = createOutboxFollower({
      from: this.#options.cursor,
      feed: this.#options.feed,
      events: this.#options.events,
      filter: () => this.#filter,
      hasRoom: (count) => this.#queue.hasRoom(count),
      take: (events) => {
        for (const event of events) {
          if (this.#options.settled.delete(event.sequence)) continue;
          this.#open.add(event.sequence);
          this.#busy.add(event.sequence);
          this.#queue.addNew({
            event,
            delivery: untriedDelivery(this.#webhook.id, event, this.#options.now()),
          });
        }
        this.#pump();
      },
      onError: this.#options.onError,
    });
    this.id = this.#webhook.id;
    this.subscription = this.#webhook.subscription;
  }

  get queued(): number {
    return this.#queue.size;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** Neither in flight nor waiting for the store. */
  get isQuiet(): boolean {
    return this.#inFlight === 0 && this.#unrecorded === 0;
  }

  /** The URL that answered 410; nothing more is sent to it. */
  get goneUrl(): string | undefined {
    return this.#goneUrl;
  }

  /** Takes over a change of everything but the subscription: that needs a lane of its own. */
  configure(changed: Webhook): void {
    if (changed.url !== this.#webhook.url) {
      this.#health = createReceiverHealth(this.#options.now, elapsedMs);
      this.#goneUrl = undefined;
    }
    this.#webhook = changed;
  }

  /** Checks whether there is something to do: new events, the clock moved, the store came back. */
  wake(): void {
    this.#pump();
    this.#follower.wake();
  }

  /**
   * Those of the due deliveries that are neither at work already nor too many. Each is then given to
   * `retry` or to `release`.
   */
  admit(due: readonly WebhookDelivery[]): readonly WebhookDelivery[] {
    const admitted = this.#isHalted
      ? []
      : due
          .filter(({ eventSequence }) => !this.#busy.has(eventSequence))
          .slice(0, this.#queue.retryRoom);
    for (const { eventSequence } of admitted) this.#busy.add(eventSequence);
    return admitted;
  }

  /** Sends a delivery again; `event` undefined: it is no longer kept. */
  retry(delivery: WebhookDelivery, event: StoredEvent | undefined): void {
    if (event === undefined) {
      this.#settle(abandonedDelivery(delivery, this.#options.now(), "the event is no longer kept"));
      return;
    }
    this.#queue.addRetry({ event, delivery });
    this.#pump();
  }

  release({ eventSequence }: WebhookDelivery): void {
    this.#busy.delete(eventSequence);
  }

  cursor(): number {
    const first = this.#open.values().next();
    return first.done === true ? this.#follower.readTo : first.value - 1;
  }

  settle(sequence: number): void {
    this.#open.delete(sequence);
  }

  recorded(sequence: number): void {
    this.#busy.delete(sequence);
    this.#unrecorded -= 1;
  }

  /** Starts nothing more. What is in flight goes on. */
  halt(): void {
    this.#isHalted = true;
    clearTimeout(this.#pause);
    this.#follower.stop();
  }

  #settle(delivery: WebhookDelivery): void {
    this.#unrecorded += 1;
    this.#options.record(this, delivery);
  }

  async #attempt({ event, delivery }: Job): Promise<void> {
    const { url } = this.#webhook;
    const asked = this.#health;
    const message = webhookMessage(event);
    this.#inFlight += 1;
    asked.started();
    const result = await this.#options.send(this.#webhook, message, this.#options.signal);
    this.#inFlight -= 1;
    // It was cut short by our own end: no attempt, and sent again after the next start.
    if (result.outcome === "stopped") return;
    this.#options.onAttempt(result);
    if (result.outcome === "delivered") asked.succeeded();
    else asked.failed(result.retryAfterMs);
    this.#settle(nextDelivery(delivery, result, this.#options.random()));
    if (result.outcome === "gone" && url === this.#webhook.url) {
      this.#goneUrl = url;
      this.#options.onGone();
    }
    this.#pump();
    this.#follower.wake();
  }

  /**
   * Whether to give up an event untried: it had as long as all its attempts would have taken, and the
   * receiver was down for as long. The outbox would otherwise grow for as long as a receiver is dead.
   */
  #isHopeless({ event }: Job): boolean {
    return (
      this.#health.downForMs > RETRY_SPAN_MS &&
      this.#options.now() - event.recordedAtMs > RETRY_SPAN_MS
    );
  }

  #pump(): void {
    while (
      !this.#isHalted &&
      this.#goneUrl === undefined &&
      this.#options.mayRecord() &&
      this.#health.mayStart(this.#inFlight)
    ) {
      const job = this.#queue.next();
      if (job === undefined) return;
      if (this.#isHopeless(job)) {
        this.#settle(
          abandonedDelivery(
            job.delivery,
            this.#options.now(),
            "the receiver has been down for days",
          ),
        );
      } else {
        this.#attempt(job).catch(this.#options.onError);
      }
    }
    const { pauseMs } = this.#health;
    if (pauseMs === undefined || this.#inFlight > 0 || this.#queue.size === 0 || this.#isHalted)
      return;
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => this.#pump(), pauseMs);
  }
}

/** Monotonic clock, ms. */
const elapsedMs = (): number => performance.now();
