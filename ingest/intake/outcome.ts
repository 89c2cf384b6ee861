import type { NotedMessage } from "../device-log/messages/message-log.ts";
import type { Decision } from "./decision.ts";

/** What became of a message, for people. */
export function outcomeOf({ quarantined, body }: Decision): NotedMessage["outcome"] {
  if (quarantined !== undefined) return "quarantined";
  return body === undefined ? "ignored" : "stored";
}

/** The text, for people, about an answer that is held back. */
export const heldNotice = (heldMs: number): string =>
  `answer held ${Math.ceil(heldMs)} ms: over DEVICE_READINGS_PER_S`;
