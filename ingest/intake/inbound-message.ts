import type { MessageOutcome } from "../../domain/equipment/connection-log.ts";
import type { MessageOrigin } from "../journal-record/header.ts";
import type { Decision } from "./decision.ts";

/** What became of a message, for a sender that is answered in words. */
export interface MessageResult {
  readonly outcome: Exclude<MessageOutcome, "late">;
  /** Why it is in the quarantine, for people; `undefined`: it is not there. */
  readonly reason: string | undefined;
  /** What is remarkable about its readings, a line each; `undefined`: nothing. */
  readonly remarks: readonly string[] | undefined;
  /** Readings that are durable. */
  readonly readings: number;
}

/** One PUBLISH from its arrival to its place in the journal, and its own origin there. */
export class InboundMessage implements MessageOrigin {
  readonly topic: string;
  readonly payload: Uint8Array;
  readonly qos: 0 | 1 | 2;
  readonly dup: boolean;
  /** MQTT packet identifier; 0 for QoS 0. */
  readonly packetId: number;
  /** Server clock at arrival, ms since the Unix epoch. */
  readonly receivedAtMs: number;
  /** Answers in place of a PUBACK: with an error when the message was not taken. */
  readonly reply: ((error?: Error) => void) | undefined;

  /** Set by intake before the message is decided. */
  clientHash = 0;
  /** Set by intake before the message is decided. */
  payloadHash = 0;
  /** Place in the session's order of arrival; set by the session. */
  ordinal = 0;
  /** Whether the message is dealt with and only waits for its turn to be acknowledged. */
  settled = false;
  /** Not acknowledged before, ms since the Unix epoch; 0: at once. */
  releaseAtMs = 0;
  /** The session is closed when the journal has not taken the message by then, ms; 0: not waiting. */
  heldUntilMs = 0;
  /** Set before a `reply` without an error; messages without a `reply` have none. */
  result: MessageResult | undefined;
  /** Hash that a resent message is known by in place of the client id's; `undefined`: that of the session. */
  readonly senderHash: number | undefined;
  /** The decision on a message that must not be decided twice; records that are durable are left out. */
  decision: Decision | undefined;

  constructor(
    message: {
      readonly topic: string;
      readonly payload: Uint8Array;
      readonly qos: 0 | 1 | 2;
      readonly dup: boolean;
      readonly packetId: number;
      readonly senderHash?: number | undefined;
    },
    receivedAtMs: number,
    reply?: (error?: Error) => void,
  ) {
    this.topic = message.topic;
    this.payload = message.payload;
    this.qos = message.qos;
    this.dup = message.dup;
    this.packetId = message.packetId;
    this.senderHash = message.senderHash;
    this.receivedAtMs = receivedAtMs;
    this.reply = reply;
  }
}
