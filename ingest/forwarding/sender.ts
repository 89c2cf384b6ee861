import type { ForwardMessage } from "./translate.ts";

/** What became of a message for good: confirmed, or left out; `reason` is for people. */
export type Settled = "sent" | { readonly skipped: string; readonly reason: string };

/** A message in flight. */
export interface Outgoing {
  readonly message: ForwardMessage;
  /** Called once, unless the sender is stopped before. */
  readonly settle: (end: Settled) => void;
}

/** Sends to one other system. Messages of one asset arrive in the order in which they were added. */
export interface Sender {
  /** Messages that are not settled. */
  readonly pending: number;
  add(outgoing: Outgoing): void;
  /** Waits a few seconds for the answers that are due, then gives up what is left. */
  stop(): Promise<void>;
}

/**
 * Called with the reason why a message did not get through this time, in words that name no
 * address.
 */
export type OnTrouble = (reason: string) => void;

/**
 * How long a stop waits for answers, ms; what is cut short is sent again by the process that goes on.
 * Longer delays a restart; shorter sends more of it twice.
 */
export const STOP_MS = 3_000;

/**
 * Waits between two tries, ms; `holdMs` where a person has to act. Longer delays readings after an outage; shorter
 * burdens a receiver that is down.
 */
export const SENDER_BACK_OFF = { firstMs: 500, longestMs: 30_000, holdMs: 60_000 };
export type SenderBackOff = typeof SENDER_BACK_OFF;
