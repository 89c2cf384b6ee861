import type { StoredEvent } from "../../../domain/events/events.ts";
import type { WebhookId } from "../../../domain/ids.ts";
import type { WebhookDelivery } from "../../../storage/ports/events/webhooks.ts";
import { messageId } from "./message.ts";
import { retryWaitMs } from "./retry.ts";
import type { AttemptResult } from "./sender.ts";

/** The row of an event that was not tried yet; due at `atMs`. */
export function untriedDelivery(
  webhookId: WebhookId,
  event: StoredEvent,
  atMs: number,
): WebhookDelivery {
  return {
    webhookId,
    eventSequence: event.sequence,
    messageId: messageId(event),
    eventType: event.type,
    state: "pending",
    attempts: 0,
    firstAttemptAtMs: undefined,
    lastAttemptAtMs: undefined,
    nextAttemptAtMs: atMs,
    lastStatus: undefined,
    lastError: undefined,
    lastDurationMs: undefined,
  };
}

/** The row after one more attempt: delivered, to be tried again, or given up. `random` in [0, 1). */
export function nextDelivery(
  before: WebhookDelivery,
  result: AttemptResult,
  random: number,
): WebhookDelivery {
  const attempts = before.attempts + 1;
  const isDelivered = result.outcome === "delivered";
  const waitMs = isDelivered ? undefined : retryWaitMs(attempts, result.retryAfterMs, random);
  return {
    ...before,
    state: isDelivered ? "delivered" : waitMs === undefined ? "failed" : "pending",
    attempts,
    firstAttemptAtMs: before.firstAttemptAtMs ?? result.atMs,
    lastAttemptAtMs: result.atMs,
    nextAttemptAtMs: waitMs === undefined ? undefined : result.atMs + waitMs,
    lastStatus: result.status,
    lastError: result.error,
    lastDurationMs: result.durationMs,
  };
}

/** The row of a delivery that is given up without another attempt. */
export function abandonedDelivery(
  before: WebhookDelivery,
  atMs: number,
  reason: string,
): WebhookDelivery {
  return {
    ...before,
    state: "failed",
    // The log is cleared by the time of the last attempt; one that had none counts from here.
    lastAttemptAtMs: before.lastAttemptAtMs ?? atMs,
    nextAttemptAtMs: undefined,
    lastError: reason,
  };
}
