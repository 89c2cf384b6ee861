import { vi } from "vitest";
import type { Message } from "../../../../simulators/fleet/device/message.ts";
import type { LinkOptions } from "../../../../simulators/fleet/link/device-link.ts";
import { PATIENT_MS } from "../../../support/patience.ts";

/** Sockets beside other work on two cores. */
const DEADLINE = { timeout: PATIENT_MS, interval: 5 };

/** A message of one reading for each of `seqs`. */
export function message(payload: string, seqs: readonly number[]): Message {
  return { treatment: "live", seqs, topicFormat: "", payload };
}

/** What a link reported to its owner. */
export interface LinkLog {
  readonly sent: string[];
  readonly acknowledged: string[];
  readonly dropped: string[];
  readonly refused: string[];
  readonly options: LinkOptions;
}

/** Records what a link reports; it keeps at most `maxQueued` messages. */
export function listenToLink(maxQueued = 100): LinkLog {
  const [sent, acknowledged, dropped, refused]: [string[], string[], string[], string[]] = [
    [],
    [],
    [],
    [],
  ];
  return {
    sent,
    acknowledged,
    dropped,
    refused,
    options: {
      maxQueued,
      retryMs: 50,
      onSent: ({ payload }) => sent.push(payload),
      onAcknowledged: ({ payload }) => acknowledged.push(payload),
      onDropped: ({ payload }) => dropped.push(payload),
      onRefused: (reason) => refused.push(reason),
    },
  };
}

/** Waits until a condition holds. */
export const soon = (condition: () => boolean): Promise<unknown> =>
  vi.waitUntil(condition, DEADLINE);
