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
import { type Lane, openLane } from "./lane.ts";
import { readEvents } from "./read-events.ts";
import { startRecorder } from "./recorder.ts";
import { type AttemptResult, createSender } from "./sender.ts";
import { settledAfter } from "./settled-after.ts";

/** How often subscriptions and due retries are polled, ms. Chosen: other processes write both. */
const POLL_EVERY_MS = 500;
/** Due deliveries of one poll, per webhook. Chosen: as many as a lane takes. */
const DUE_AT_ONCE = 64;
/** How long a stop waits for answers, ms; what is cut short is sent again after the next start. Chosen. */
const STOP_MS = 3_000;
const STOP_POLL_MS = 20;

/** Posts events to the webhooks that want them. */
export interface WebhookDispatcher {
  readonly stats: WebhookStats;
  /** Polls for changed subscriptions and due deliveries now. Never throws. */
  refresh(): Promise<void>;
  /** Waits for the answers to what is in flight, a few seconds at most, and records them. */
  stop(): Promise<void>;
}

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
 * Starts to deliver, each webhook from where it was. At least once: an answer whose record is lost is
 * followed by the same message id again. A store that is away is asked again until it is back.
 */
export async function startWebhooks(options: WebhookOptions): Promise<WebhookDispatcher> {
  const { records, feed, pepper, outbound, now, log } = options;
  const send = createSender({ outbound, seal: createSecretSeal(pepper, "webhooks"), now });
  const lanes = new Map<WebhookId, Lane>();
  /** Lanes of webhooks that are no longer active, until their last results are stored. */
  const ending = new Map<WebhookId, Lane>();
  const attempts = new Map<AttemptResult["outcome"], number>();
  const stopping = new AbortController();
  // One listener per request in flight; Node takes more than ten for a leak.
  setMaxListeners(0, stopping.signal);
  let expired = 0;
  let isStopped = false;
  let isTroubled = false;
  let stopped: Promise<void> | undefined;

  /** Once per outage: everything is tried again twice a second. */
  function warnOnce(error: unknown): void {
    if (!isTroubled) log.warn({ err: error }, "webhooks fall behind; trying again");
    isTroubled = true;
  }

  const recorder = startRecorder({
    records: records.webhooks,
    lanes: () => lanes.values(),
    onRecorded: wakeAll,
    everyMs: options.recordEveryMs,
    log,
  });

  function wakeAll(): void {
    for (const lane of lanes.values()) lane.wake();
  }

  async function open(webhook: Webhook, cursor: number): Promise<void> {
    const { id } = webhook;
    const settled = await settledAfter(records.webhooks, id, cursor);
    // Only a webhook that was disabled can be so far behind: an active one keeps its events.
    const lost = (await records.events.oldestSequence()) - 1 - cursor;
    if (isStopped) return;
    if (lost > 0) {
      expired += lost;
      log.warn({ webhook: id, after: cursor, events: lost }, "events expired before being posted");
    }
    const lane = openLane({
      webhook,
      cursor,
      settled,
      feed,
      events: records.events,
      send,
      signal: stopping.signal,
      record: (of, delivery) => recorder.add(of, delivery),
      mayRecord: () => recorder.hasRoom,
      onAttempt: ({ outcome }) => attempts.set(outcome, (attempts.get(outcome) ?? 0) + 1),
      onGone: () => void polls.refresh(),
      onError: warnOnce,
      now,
      random: options.random ?? Math.random,
    });
    lanes.set(id, lane);
    lane.wake();
  }

  /**
   * Opens, changes and ends lanes as the webhooks say. A lane serves one subscription: when types or
   * projects change, it ends, and the next one begins at the stored cursor.
   */
  async function follow(): Promise<void> {
    for (const [id, lane] of ending) if (lane.isQuiet) ending.delete(id);
    const webhooks = await records.webhooks.list();
    const active = new Map(
      webhooks.filter(({ status }) => status === "active").map((webhook) => [webhook.id, webhook]),
    );
    for (const [id, lane] of lanes) {
      const webhook = active.get(id);
      if (webhook?.subscription === lane.subscription) lane.configure(webhook);
      else {
        lane.halt();
        lanes.delete(id);
        ending.set(id, lane);
      }
    }
    const added = [...active.values()].filter(({ id }) => !lanes.has(id) && !ending.has(id));
    if (added.length === 0) return;
    const cursors = await records.webhooks.cursors();
    for (const webhook of added) await open(webhook, cursors.get(webhook.id) ?? 0);
  }

  /** Switches off webhooks whose receiver said that it is gone for good. */
  async function disableGone(): Promise<void> {
    const gone = [...lanes.values()].filter((lane) => lane.goneUrl !== undefined);
    for (const { id, goneUrl } of gone) {
      await records.webhooks.update(id, (before) => {
        if (before.url !== goneUrl || before.status !== "active") return before;
        const disabledReason = "the receiver answered 410 (gone)";
        return { ...before, status: "disabled", disabledReason, updatedAtMs: now() };
      });
      log.info({ webhook: id }, "webhook disabled: its receiver is gone");
    }
    if (gone.length > 0) await follow();
  }

  async function retryDue(): Promise<void> {
    const due = new Map<WebhookId, WebhookDelivery[]>();
    for (const delivery of await records.webhooks.due(now(), DUE_AT_ONCE)) {
      const own = due.get(delivery.webhookId);
      if (own === undefined) due.set(delivery.webhookId, [delivery]);
      else own.push(delivery);
    }
    const admitted = [...due].flatMap(([id, own]) => {
      const lane = lanes.get(id);
      return lane?.admit(own).map((delivery) => ({ lane, delivery })) ?? [];
    });
    if (admitted.length === 0) return;
    try {
      const events = await readEvents(
        records.events,
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

  async function poll(): Promise<void> {
    try {
      // First the lanes: one of a webhook that was deleted has nothing to disable.
      await follow();
      await disableGone();
      await retryDue();
      isTroubled = false;
    } catch (error) {
      warnOnce(error);
    }
    wakeAll();
  }

  const polls = coalesceRefresh(poll);

  async function stop(): Promise<void> {
    isStopped = true;
    clearInterval(timer);
    unsubscribe();
    await polls.stop();
    const all = [...lanes.values(), ...ending.values()];
    for (const lane of all) lane.halt();
    const deadlineMs = performance.now() + (options.stopMs ?? STOP_MS);
    while (all.some(({ inFlight }) => inFlight > 0) && performance.now() < deadlineMs) {
      await delay(STOP_POLL_MS);
    }
    stopping.abort();
    await recorder.stop();
  }

  const unsubscribe = feed.subscribe(wakeAll);
  await polls.refresh();
  const timer = setInterval(() => void polls.refresh(), options.pollEveryMs ?? POLL_EVERY_MS);

  return {
    stats: {
      attempts,
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
        return expired;
      },
    },
    refresh: polls.refresh,
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };
}

function sum(lanes: Iterable<Lane>, of: (lane: Lane) => number): number {
  let total = 0;
  for (const lane of lanes) total += of(lane);
  return total;
}
