import type { OutboundOutcome } from "../../outbound/client.ts";
import { readRetryAfter } from "../../outbound/retry-after.ts";

/** It will not be taken now. */
export interface NotTaken {
  /** `retry`: it may be taken later. `hold`: nothing will be taken until a person acts. */
  readonly kind: "retry" | "hold";
  /** In words that name no address. */
  readonly reason: string;
  readonly status: number | undefined;
  /** The trouble may be with this message, or this asset, alone. */
  readonly perhapsThis: boolean;
  readonly retryAfterMs: number | undefined;
}

/** What to do after one try; `refused`: it will never be taken, the next one may. */
export type SendResult =
  | { readonly kind: "sent" }
  | { readonly kind: "stopped" }
  | { readonly kind: "refused"; readonly status: number; readonly reason: string }
  | NotTaken;

/** Too slow, too soon, too many: none of them is about the message (RFC 9110, RFC 8470, RFC 6585). */
const LATER: ReadonlySet<number> = new Set([408, 425, 429, 503]);
/** The log-in is wrong, or the address has gone: nothing would get through. */
const HELD: ReadonlySet<number> = new Set([401, 403, 407, 410]);

/** Classifies the outcome of a POST at `nowMs`, the server clock. */
export function sendResultOf(outcome: OutboundOutcome, nowMs: number): SendResult {
  if ("failure" in outcome) {
    const { failure } = outcome;
    if (failure === "stopped") return { kind: "stopped" };
    const reason = failure === "blocked" ? "the address or the port is not allowed" : failure;
    const kind = failure === "blocked" ? "hold" : "retry";
    return { kind, reason, status: undefined, perhapsThis: false, retryAfterMs: undefined };
  }
  const { status } = outcome;
  if (status >= 200 && status < 300) return { kind: "sent" };
  const isRedirect = status < 400;
  const reason = `the receiver answered ${status}${isRedirect ? "; redirects are not followed" : ""}`;
  if (LATER.has(status)) {
    const retryAfterMs = readRetryAfter(outcome.retryAfter, nowMs);
    return { kind: "retry", reason, status, perhapsThis: false, retryAfterMs };
  }
  const undelayed = { reason, status, retryAfterMs: undefined };
  if (status >= 500) return { kind: "retry", perhapsThis: true, ...undelayed };
  if (isRedirect) return { kind: "hold", perhapsThis: false, ...undelayed };
  if (HELD.has(status)) return { kind: "hold", perhapsThis: true, ...undelayed };
  return { kind: "refused", status, reason };
}
