import { isDeepStrictEqual } from "node:util";
import { DomainError } from "../../../domain/errors.ts";
import type { WebhookId } from "../../../domain/ids.ts";
import { requireRoomByProject } from "../../../domain/platform/record-limits.ts";
import type {
  Webhook,
  WebhookDelivery,
  WebhookRecords,
} from "../../../storage/ports/events/webhooks.ts";
import { type MemoryRows, pageOfRows } from "./rows.ts";

/** Webhooks, their cursors and deliveries in memory. */
export function createMemoryWebhooks(rows: MemoryRows): WebhookRecords {
  const { webhooks, webhookCursors, deliveries } = rows;

  function existing(id: WebhookId): Webhook {
    const webhook = webhooks.get(id);
    if (webhook === undefined) throw new DomainError("WEBHOOK_NOT_FOUND", id);
    return webhook;
  }

  const deliveriesOf = (id: WebhookId): WebhookDelivery[] =>
    [...deliveries.values()].filter((delivery) => delivery.webhookId === id);

  return {
    async insert(webhook) {
      requireRoomByProject("webhooks", webhook, [...webhooks.values()]);
      if (webhooks.has(webhook.id)) throw new DomainError("ID_CONFLICT", webhook.id);
      webhooks.set(webhook.id, { ...webhook, subscription: 1 });
      webhookCursors.set(webhook.id, rows.lastSequence);
    },
    list: async () =>
      [...webhooks.values()].sort(
        (a, b) => a.createdAtMs - b.createdAtMs || (a.id < b.id ? -1 : 1),
      ),
    find: async (id) => webhooks.get(id),
    async update(id, change, { skipMissed } = { skipMissed: false }) {
      const before = existing(id);
      const after = change(before);
      const others = [...webhooks.values()].filter((other) => other.id !== id);
      requireRoomByProject("webhooks", after, others);
      const wanted = ({ types, projectIds }: Webhook) => [types, projectIds];
      const isSame = isDeepStrictEqual(wanted(before), wanted(after));
      const webhook = { ...after, subscription: before.subscription + (isSame ? 0 : 1) };
      if (skipMissed) webhookCursors.set(id, rows.lastSequence);
      webhooks.set(id, webhook);
      return webhook;
    },
    async delete(id) {
      existing(id);
      webhooks.delete(id);
      webhookCursors.delete(id);
      for (const delivery of deliveriesOf(id)) deliveries.delete(keyOf(delivery));
    },

    cursors: async () => new Map(webhookCursors),
    async record(change) {
      for (const delivery of change.deliveries) {
        if (webhooks.has(delivery.webhookId)) deliveries.set(keyOf(delivery), delivery);
      }
      for (const [id, { subscription, sequence }] of change.cursors) {
        const before = webhookCursors.get(id);
        if (before === undefined || webhooks.get(id)?.subscription !== subscription) continue;
        webhookCursors.set(id, Math.max(before, sequence));
      }
    },
    async due(atMs, limit) {
      const active = [...webhooks.values()].filter((webhook) => webhook.status === "active");
      return active.flatMap(({ id }) =>
        deliveriesOf(id)
          .filter(({ state, nextAttemptAtMs = Infinity }) => {
            return state === "pending" && nextAttemptAtMs <= atMs;
          })
          .sort((a, b) => a.eventSequence - b.eventSequence)
          .slice(0, limit),
      );
    },
    async deliveries(id, { states, ...page }) {
      const all = deliveriesOf(id)
        .filter((delivery) => states?.includes(delivery.state) ?? true)
        .sort((a, b) => b.eventSequence - a.eventSequence);
      return { deliveries: pageOfRows(all, page), total: all.length };
    },
    findDelivery: async (webhookId, eventSequence) =>
      deliveries.get(keyOf({ webhookId, eventSequence })),
    async expire(beforeMs) {
      for (const [key, { state, lastAttemptAtMs = Infinity }] of [...deliveries]) {
        if (state !== "pending" && lastAttemptAtMs < beforeMs) deliveries.delete(key);
      }
      return false;
    },
  };
}

const keyOf = (place: Pick<WebhookDelivery, "webhookId" | "eventSequence">): string =>
  `${place.webhookId} ${place.eventSequence}`;
