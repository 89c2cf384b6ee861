import { DomainError } from "../../../domain/errors.ts";
import type { WebhookId } from "../../../domain/ids.ts";
import type { Delivery, Webhook } from "../../../storage/ports/webhooks.ts";
import type { RecordStore } from "../../../storage/ports.ts";
import { createEventFilter } from "../event-filter.ts";
import { untriedDelivery } from "./delivery-log.ts";

/** Events of one transaction, and of one call. Chosen: a call takes a second or so. */
const PAGE_EVENTS = 500;
const MAX_EVENTS = 10_000;

/** How much of a replay was put on its way. */
export interface ReplayedRange {
  readonly queued: number;
  /** The last event that was looked at; a further call goes on behind it. */
  readonly lastSequence: number;
  readonly hasMore: boolean;
}

/**
 * Puts one delivery on its way again, with the same message id and all attempts before it.
 * @throws DomainError `DELIVERY_NOT_FOUND`.
 */
export async function replayDelivery(
  records: Pick<RecordStore, "webhooks">,
  id: WebhookId,
  eventSequence: number,
  atMs: number,
): Promise<Delivery> {
  const before = await records.webhooks.findDelivery(id, eventSequence);
  if (before === undefined) {
    throw new DomainError("DELIVERY_NOT_FOUND", `no delivery ${eventSequence} of ${id}`);
  }
  const delivery: Delivery = { ...before, state: "pending", attempts: 0, nextAttemptAtMs: atMs };
  await records.webhooks.record({ deliveries: [delivery], cursors: new Map() });
  return delivery;
}

/**
 * Puts every event after `after` that the webhook wants on its way again. It ends at the webhook's
 * cursor: what lies behind that is on its way for the first time.
 */
export async function replayAfter(
  records: Pick<RecordStore, "webhooks" | "events">,
  webhook: Webhook,
  after: number,
  atMs: number,
): Promise<ReplayedRange> {
  const end = (await records.webhooks.cursors()).get(webhook.id) ?? 0;
  const { query } = createEventFilter(webhook);
  let lastSequence = after;
  let queued = 0;
  while (lastSequence < end && queued < MAX_EVENTS) {
    const page = await records.events.after(lastSequence, { ...query, limit: PAGE_EVENTS });
    const deliveries = page
      .filter((event) => event.sequence <= end)
      .map((event) => untriedDelivery(webhook.id, event, atMs));
    await records.webhooks.record({ deliveries, cursors: new Map() });
    queued += deliveries.length;
    const isLastPage = page.length < PAGE_EVENTS;
    lastSequence = isLastPage ? end : Math.min(end, page.at(-1)?.sequence ?? end);
  }
  return { queued, lastSequence: Math.max(lastSequence, after), hasMore: lastSequence < end };
}
