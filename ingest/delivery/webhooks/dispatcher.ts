import { setMaxListeners } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import type { WebhookId } from "../../../domain/ids.ts";
import type { OutboundClient } from "../../../outbound/client.ts";
import type { Webhook, WebhookDelivery } from "../../../storage/ports/events/webhooks.ts";
import type { RecordStore } from "../../../storage/ports/record-store.ts";
import { createSecretSeal } from "../../credentials/secret-seal.ts";
import { coalesceRefresh } from "../../pacing/coalesced-refresh.ts";
import type { EventFeed } from "../event-feed.ts";
import { Lane } from "./lane.ts";
import { readEvents } from "./read-events.ts";
import { Recorder } from "./recorder.ts";
import { type AttemptResult, createSender, type SendMessage } from "./sender.ts";
import { settledAfter } from "./settled-after.ts";

/** How often subscriptions and due retries are polled, ms. Chosen: other processes write both. */
const POLL_EVERY_MS = 500;
/** Due deliveries of one poll, per webhook. Chosen: as many as a lane takes. */
const DUE_AT_ONCE = 64;
/**
 * How long a stop waits for answers, ms; what is cut short is sent again after the next start. Longer delays a
 * restart; shorter sends more of it twice.
 */
const STOP_MS = 3_000;
const STOP_POLL_MS = 20;

export interface WebhookStats {
  /** Attempts since the start by what became of them. */
  readonly attempts: ReadonlyMap<AttemptResult["outcome"], number>;
  /** Webhooks that events are posted to now. */
  readonly active: number;
  readonly queued: number;
  readonly inFlight: number;
  /** Events that retention deleted before they could be posted, since the start. */
  readonly expired: number;
}

export interface WebhookOptions {
  readonly records: Pick<RecordStore, "webhooks" | "events">;
  readonly feed: Pick<EventFeed, "lastSequence" | "recent" | "subscribe">;
  readonly pepper: Uint8Array;
  readonly outbound: OutboundClient;
  /** Server clock, ms since the Unix epoch. */
  readonly now: () => number;
  readonly log: Pick<Logger, "info" | "warn">;
  /** Uniform in [0, 1); for the jitter of retries. */
  readonly random?: () => number;
  readonly pollEveryMs?: number;
  readonly recordEveryMs?: number;
  readonly stopMs?: number;
}

/**
 * Posts events to the webhooks that want them, each webhook from where it was. At least once: an answer whose
 * record is lost is followed by the same message id again. A store that is away is asked again until it is back.
 */
export class WebhookDispatcher {
  readonly #options: WebhookOptions;
  readonly #send: SendMessage;
  readonly #lanes = new Map<WebhookId, Lane>();
  /** Lanes of webhooks that are no longer active, until their last results are stored. */
  readonly #ending = new Map<WebhookId, Lane>();
  readonly #attempts = new Map<AttemptResult["outcome"], number>();
  readonly #stopping = new AbortController();
  #expired = 0;
  #isStopped = false;
  #isTroubled = false;
  #stopped: Promise<void> | undefined;
  readonly #recorder: Recorder;
  readonly #polls = coalesceRefresh(() => this.#poll());
  #unsubscribe: () => void = () => undefined;
  #timer: NodeJS.Timeout | undefined;
  readonly stats: WebhookStats;

  /** Starts to deliver. */
  static async start(options: WebhookOptions): Promise<WebhookDispatcher> {
    const dispatcher = new WebhookDispatcher(options);
    await dispatcher.#begin();
    return dispatcher;
  }

  private constructor(options: WebhookOptions) {
    this.#options = options;
    this.#send = createSender({
      outbound: this.#options.outbound,
      seal: createSecretSeal(this.#options.pepper, "webhooks"),
      now: this.#options.now,
    });
    // One listener per request in flight; Node takes more than ten for a leak.
    setMaxListeners(0, this.#stopping.signal);
    this.#recorder = new Recorder({
      records: this.#options.records.webhooks,
      lanes: () => this.#lanes.values(),
      onRecorded: () => this.#wakeAll(),
      everyMs: this.#options.recordEveryMs,
      log: this.#options.log,
    });
    const lanes = this.#lanes;
    const expired = () => this.#expired;
    this.stats = {
      attempts: this.#attempts,
      get active() {
        return lanes.size;
      },
      get queued() {
        return sum(lanes.values(), (lane) => lane.queued);
      },
      get inFlight() {
        return sum(lanes.values(), (lane) => lane.inFlight);
      },
      get expired() {
        return expired();
      },
    };
  }

  async #begin(): Promise<void> {
    const { feed, pollEveryMs = POLL_EVERY_MS } = this.#options;
    this.#unsubscribe = feed.subscribe(() => this.#wakeAll());
    await this.#polls.refresh();
    this.#timer = setInterval(() => void this.#polls.refresh(), pollEveryMs);
  }

  /** Polls for changed subscriptions and due deliveries now. Never throws. */
  refresh(): Promise<void> {
    return this.#polls.refresh();
  }

  /** Waits for the answers to what is in flight, a few seconds at most, and records them. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  /** Once per outage: everything is tried again twice a second. */
  #warnOnce(error: unknown): void {
    if (!this.#isTroubled)
      this.#options.log.warn({ err: error }, "webhooks fall behind; trying again");
    this.#isTroubled = true;
  }

  #wakeAll(): void {
    for (const lane of this.#lanes.values()) lane.wake();
  }

  async #open(webhook: Webhook, cursor: number): Promise<void> {
    const { id } = webhook;
    const settled = await settledAfter(this.#options.records.webhooks, id, cursor);
    // Only a webhook that was disabled can be so far behind: an active one keeps its events.
    const lost = (await this.#options.records.events.oldestSequence()) - 1 - cursor;
    if (this.#isStopped) return;
    if (lost > 0) {
      this.#expired += lost;
      this.#options.log.warn(
        { webhook: id, after: cursor, events: lost },
        "events expired before being posted",
      );
    }
    const lane = new Lane({
      webhook,
      cursor,
      settled,
      feed: this.#options.feed,
      events: this.#options.records.events,
      send: this.#send,
      signal: this.#stopping.signal,
      record: (of, delivery) => this.#recorder.add(of, delivery),
      mayRecord: () => this.#recorder.hasRoom,
      onAttempt: ({ outcome }) =>
        this.#attempts.set(outcome, (this.#attempts.get(outcome) ?? 0) + 1),
      onGone: () => void this.#polls.refresh(),
      onError: (error) => this.#warnOnce(error),
      now: this.#options.now,
      random: this.#options.random ?? Math.random,
    });
    this.#lanes.set(id, lane);
    lane.wake();
  }

  /**
   * Opens, changes and ends lanes as the webhooks say. A lane serves one subscription: when types or
   * projects change, it ends, and the next one begins at the stored cursor.
   */
  async #follow(): Promise<void> {
    for (const [id, lane] of this.#ending) if (lane.isQuiet) this.#ending.delete(id);
    const webhooks = await this.#options.records.webhooks.list();
    const active = new Map(
      webhooks.filter(({ status }) => status === "active").map((webhook) => [webhook.id, webhook]),
    );
    for (const [id, lane] of this.#lanes) {
      const webhook = active.get(id);
      if (webhook?.subscription === lane.subscription) lane.configure(webhook);
      else {
        lane.halt();
        this.#lanes.delete(id);
        this.#ending.set(id, lane);
      }
    }
    const added = [...active.values()].filter(
      ({ id }) => !this.#lanes.has(id) && !this.#ending.has(id),
    );
    if (added.length === 0) return;
    const cursors = await this.#options.records.webhooks.cursors();
    for (const webhook of added) await this.#open(webhook, cursors.get(webhook.id) ?? 0);
  }

  /** Switches off webhooks whose receiver said that it is gone for good. */
  async #disableGone(): Promise<void> {
    const gone = [...this.#lanes.values()].filter((lane) => lane.goneUrl !== undefined);
    for (const { id, goneUrl } of gone) {
      await this.#options.records.webhooks.update(id, (before) => {
        if (before.url !== goneUrl || before.status !== "active") return before;
        const disabledReason = "the receiver answered 410 (gone)";
        return { ...before, status: "disabled", disabledReason, updatedAtMs: this.#options.now() };
      });
      this.#options.log.info({ webhook: id }, "webhook disabled: its receiver is gone");
    }
    if (gone.length > 0) await this.#follow();
  }

  async #retryDue(): Promise<void> {
    const due = new Map<WebhookId, WebhookDelivery[]>();
    for (const delivery of await this.#options.records.webhooks.due(
      this.#options.now(),
      DUE_AT_ONCE,
    )) {
      const own = due.get(delivery.webhookId);
      if (own === undefined) due.set(delivery.webhookId, [delivery]);
      else own.push(delivery);
    }
    const admitted = [...due].flatMap(([id, own]) => {
      const lane = this.#lanes.get(id);
      return lane?.admit(own).map((delivery) => ({ lane, delivery })) ?? [];
    });
    if (admitted.length === 0) return;
    try {
      const events = await readEvents(
        this.#options.records.events,
        admitted.map(({ delivery }) => delivery.eventSequence),
      );
      for (const { lane, delivery } of admitted) {
        lane.retry(delivery, events.get(delivery.eventSequence));
      }
    } catch (error) {
      for (const { lane, delivery } of admitted) lane.release(delivery);
      throw error;
    }
  }

  async #poll(): Promise<void> {
    try {
      // First the lanes: one of a webhook that was deleted has nothing to disable.
      await this.#follow();
      await this.#disableGone();
      await this.#retryDue();
      this.#isTroubled = false;
    } catch (error) {
      this.#warnOnce(error);
    }
    this.#wakeAll();
  }

  async #stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    this.#unsubscribe();
    await this.#polls.stop();
    const all = [...this.#lanes.values(), ...this.#ending.values()];
    for (const lane of all) lane.halt();
    const deadlineMs = performance.now() + (this.#options.stopMs ?? STOP_MS);
    while (all.some(({ inFlight }) => inFlight > 0) && performance.now() < deadlineMs) {
      await delay(STOP_POLL_MS);
    }
    this.#stopping.abort();
    await this.#recorder.stop();
  }
}

function sum(lanes: Iterable<Lane>, of: (lane: Lane) => number): number {
  let total = 0;
  for (const lane of lanes) total += of(lane);
  return total;
}
