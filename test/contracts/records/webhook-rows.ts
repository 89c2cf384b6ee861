import type { WebhookId } from "../../../domain/ids.ts";
import type { Webhook, WebhookDelivery } from "../../../storage/ports/events/webhooks.ts";
import { NOON_MS } from "./rows.ts";

export const webhookId = (id: string) => id as WebhookId;

export function webhook(id: string, change: Partial<Webhook> = {}): Webhook {
  return {
    id: webhookId(id),
    name: "Leitstand",
    url: "https://example.com/hooks?site=1",
    types: [],
    projectIds: undefined,
    subscription: 1,
    status: "active",
    disabledReason: undefined,
    secrets: [
      { sealed: new Uint8Array([0, 1, 255]), createdAtMs: NOON_MS, expiresAtMs: undefined },
    ],
    createdAtMs: NOON_MS,
    updatedAtMs: NOON_MS,
    ...change,
  };
}

export function delivery(
  webhook: string,
  eventSequence: number,
  change: Partial<WebhookDelivery> = {},
): WebhookDelivery {
  return {
    webhookId: webhookId(webhook),
    eventSequence,
    messageId: `e${eventSequence}.1`,
    eventType: "equipment.geofence.entered",
    state: "pending",
    attempts: 1,
    firstAttemptAtMs: NOON_MS,
    lastAttemptAtMs: NOON_MS,
    nextAttemptAtMs: NOON_MS + 5_000,
    lastStatus: 500,
    lastError: "answered 500",
    lastDurationMs: 12.5,
    ...change,
  };
}
