import type { components } from "../../../client/index.ts";
import { LATE_MS } from "../../time/late.ts";

type Message = components["schemas"]["MessageEntry"];

/** When the service received a position that came late, and by how much, ms. */
export interface Lateness {
  readonly receivedMs: number;
  readonly delayMs: number;
}

/**
 * Whether the newest position came late. A message that was sent again is not what brought it; without the message
 * that did, nothing is known.
 */
export function latenessOf(
  fixMs: number | undefined,
  messages: readonly Pick<Message, "outcome" | "received_at" | "newest_fix_at">[],
): Lateness | undefined {
  const brought = messages.findLast(
    ({ outcome, newest_fix_at }) =>
      outcome === "stored" && newest_fix_at !== undefined && Date.parse(newest_fix_at) === fixMs,
  );
  if (brought === undefined || fixMs === undefined) return undefined;
  const receivedMs = Date.parse(brought.received_at);
  const delayMs = receivedMs - fixMs;
  return delayMs > LATE_MS ? { receivedMs, delayMs } : undefined;
}
