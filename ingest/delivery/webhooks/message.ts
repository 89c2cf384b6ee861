import type { StoredEvent } from "../../../domain/events/events.ts";
import { randomBase62, type WebhookId } from "../../../domain/ids.ts";
import { eventText, eventView } from "../event-view.ts";

/** What is posted to a receiver. */
export interface WebhookMessage {
  /** The same at every attempt and every replay, so that a receiver can recognise a repetition. */
  readonly id: string;
  readonly body: string;
}

/** Receivers may refuse more (Standard Webhooks, "Payload": under 20 kB). */
const MAX_BODY_BYTES = 20_000;

/** One revision of an event has one id: a receiver that drops repetitions still gets the change. */
export const messageId = (event: Pick<StoredEvent, "id" | "revision">): string =>
  `${event.id}.${event.revision}`;

/**
 * The message of an event: `{type, timestamp, data}`, `data` being the event as `/events` shows it.
 * When that is too large, `data.data` is left out and `data.truncated` says so; `/events` has it all.
 */
export function webhookMessage(event: StoredEvent): WebhookMessage {
  const body = messageBody(event.type, event.occurredAtMs, eventText(event));
  if (Buffer.byteLength(body) < MAX_BODY_BYTES) return { id: messageId(event), body };
  const { data: _tooLarge, ...rest } = eventView(event);
  const short = JSON.stringify({ ...rest, truncated: true });
  return { id: messageId(event), body: messageBody(event.type, event.occurredAtMs, short) };
}

/** A message without content, to test a receiver with; each has an id of its own. */
export function testMessage(webhookId: WebhookId, atMs: number): WebhookMessage {
  const body = messageBody("webhook.test", atMs, JSON.stringify({ webhook_id: webhookId }));
  return { id: `test_${randomBase62(22)}.1`, body };
}

/** `data` is JSON text. */
function messageBody(type: string, atMs: number, data: string): string {
  const timestamp = new Date(atMs).toISOString();
  return `{"type":${JSON.stringify(type)},"timestamp":"${timestamp}","data":${data}}`;
}
