import type { OutboundClient } from "../../../outbound/client.ts";
import type { OutboundFailure } from "../../../outbound/failure.ts";
import { readRetryAfter } from "../../../outbound/retry-after.ts";
import type { Webhook } from "../../../storage/ports/events/webhooks.ts";
import type { SecretSeal } from "../../credentials/secret-seal.ts";
import type { WebhookMessage } from "./message.ts";
import { signedHeaders, signingKey } from "./signature.ts";

/** What became of one attempt. */
export interface AttemptResult {
  /** `gone`: 410; `refused`: any other answer that is not 2xx; `unsigned`: no secret can be read. */
  readonly outcome: "delivered" | "gone" | "refused" | "unsigned" | OutboundFailure;
  /** Server clock at its start, ms since the Unix epoch. */
  readonly atMs: number;
  readonly durationMs: number;
  /** `undefined` without an answer. */
  readonly status: number | undefined;
  /** In words that name no address; `undefined` after success. */
  readonly error: string | undefined;
  /** How long the receiver asked to be left alone, ms. */
  readonly retryAfterMs: number | undefined;
}

/** Signs a message with every secret in force and posts it once. Never throws. */
export type SendMessage = (
  webhook: Pick<Webhook, "id" | "url" | "secrets">,
  message: WebhookMessage,
  signal?: AbortSignal,
) => Promise<AttemptResult>;

const GONE = 410;
/** Answers that may carry `Retry-After` for us (RFC 9110 section 15.6.4, RFC 6585 section 4). */
const ASKING = [429, 503];

export function createSender(options: {
  readonly outbound: OutboundClient;
  readonly seal: SecretSeal;
  readonly now: () => number;
}): SendMessage {
  const { outbound, seal, now } = options;

  /**
   * Keys in force, newest first. Throws when one cannot be read: it would be useless to sign with the rest
   * only.
   */
  function keysOf({ id, secrets }: Pick<Webhook, "id" | "secrets">, atMs: number): Uint8Array[] {
    return secrets
      .filter(({ expiresAtMs = Number.POSITIVE_INFINITY }) => expiresAtMs > atMs)
      .map(({ sealed }) => signingKey(seal.open(id, sealed)))
      .filter((key) => key !== undefined);
  }

  return async (webhook, message, signal) => {
    const atMs = now();
    const unanswered = { atMs, durationMs: 0, status: undefined, retryAfterMs: undefined };
    let keys: readonly Uint8Array[];
    try {
      keys = keysOf(webhook, atMs);
    } catch {
      const error = "the signing secret cannot be read; rotate it";
      return { ...unanswered, outcome: "unsigned", error };
    }
    const startedMs = performance.now();
    const answer = await outbound.send({
      method: "POST",
      url: webhook.url,
      headers: {
        "content-type": "application/json",
        "user-agent": "Plumbline-Webhooks/1",
        ...signedHeaders(message, atMs, keys),
      },
      body: message.body,
      ...(signal === undefined ? {} : { signal }),
    });
    const durationMs = Math.round(performance.now() - startedMs);
    if ("failure" in answer) {
      return { ...unanswered, durationMs, outcome: answer.failure, error: answer.failure };
    }
    const { status, retryAfter } = answer;
    const retryAfterMs = ASKING.includes(status) ? readRetryAfter(retryAfter, atMs) : undefined;
    const answered = { atMs, durationMs, status, retryAfterMs };
    if (status >= 200 && status < 300) {
      return { ...answered, outcome: "delivered", error: undefined };
    }
    const outcome = status === GONE ? "gone" : "refused";
    return { ...answered, outcome, error: explain(status) };
  };
}

function explain(status: number): string {
  if (status === GONE) return "the receiver answered 410 (gone)";
  if (status >= 300 && status < 400) {
    return `the receiver answered ${status}; redirects are not followed`;
  }
  return `the receiver answered ${status}`;
}
