import { DomainError } from "../../../domain/errors.ts";
import type { WebhookId } from "../../../domain/ids.ts";
import type { Webhook, WebhookDelivery } from "../../../storage/ports/events/webhooks.ts";
import type { RecordStore } from "../../../storage/ports/record-store.ts";
import { createEventFilter } from "../event-filter.ts";
import { untriedDelivery } from "./delivery-log.ts";

/**
 * Events of one call. A call is one transaction, and the embedded database has one connection, so the
 * pipeline waits meanwhile. 10,000 held everything up for 4 s a call on a busy machine.
 */
const MAX_EVENTS = 500;

/** How much of a replay was queued. */
export interface ReplayedRange {
  readonly queued: number;
  /** The last event that was read; a further call goes on behind it. */
  readonly lastSequence: number;
  readonly hasMore: boolean;
}

/**
 * Queues one delivery again, with the same message id and all attempts before it.
 * @throws DomainError `DELIVERY_NOT_FOUND`.
 */
export async function replayDelivery(
  records: Pick<RecordStore, "webhooks">,
  id: WebhookId,
  eventSequence: number,
  atMs: number,
): Promise<WebhookDelivery> {
  const before = await records.webhooks.findDelivery(id, eventSequence);
  if (before === undefined) {
    throw new DomainError("DELIVERY_NOT_FOUND", `no delivery ${eventSequence} of ${id}`);
  }
  const delivery: WebhookDelivery = {
    ...before,
    state: "pending",
    attempts: 0,
    nextAttemptAtMs: atMs,
  };
  await records.webhooks.record({ deliveries: [delivery], cursors: new Map() });
  return delivery;
}

/**
 * Queues again the first 500 events after `after` that the webhook wants. It ends at the webhook's cursor:
 * later events are still to be delivered for the first time.
 */
export async function replayAfter(
  records: Pick<RecordStore, "webhooks" | "events">,
  webhook: Webhook,
  after: number,
  atMs: number,
): Promise<ReplayedRange> {
  const end = (await records.webhooks.cursors()).get(webhook.id) ?? 0;
  if (after >= end) return { queued: 0, lastSequence: after, hasMore: false };
  const { query } = createEventFilter(webhook);
  const page = await records.events.after(after, { ...query, limit: MAX_EVENTS });
  const deliveries = page
    .filter((event) => event.sequence <= end)
    .map((event) => untriedDelivery(webhook.id, event, atMs));
  await records.webhooks.record({ deliveries, cursors: new Map() });
  const isLastPage = page.length < MAX_EVENTS;
  const lastSequence = isLastPage ? end : Math.min(end, page.at(-1)?.sequence ?? end);
  return { queued: deliveries.length, lastSequence, hasMore: lastSequence < end };
}
