import type { DecodedMessage } from "../../../domain/equipment/reading.ts";
import type { AssetId } from "../../../domain/ids.ts";
import type { SparkplugReport } from "../../commands/carriers/sparkplug.ts";
import type { IntakeCounters } from "./counters.ts";

/** One message of a conversation. */
export interface SaidMessage {
  /** Who holds the conversation. */
  readonly assetId: AssetId;
  readonly topic: string;
  readonly payload: Uint8Array;
  /** Of the payload's bytes, unsigned 32 bits. */
  readonly payloadHash: number;
  /** Whether the sender says that it was sent before (DUP of MQTT). */
  readonly isAgain: boolean;
  /** Server clock, ms since the Unix epoch. */
  readonly receivedAtMs: number;
  /** The connection that it came by, compared by identity; for a will, the connection that left it. */
  readonly connection: object;
  /**
   * Whether that is the asset's own connection: one of ours to a broker brings the messages of all of
   * them.
   */
  readonly isOwnConnection: boolean;
}

/** What a message means after those before it. */
export interface Meaning {
  /** What is reported, by asset: of the asset itself, or of those that it speaks for. */
  readonly reported: readonly { readonly assetId: AssetId; readonly decoded: DecodedMessage }[];
  /** Why the message is kept as it came, as a whole or for a part of it, and what that counts as. */
  readonly unread: { readonly reason: string; readonly as: keyof IntakeCounters } | undefined;
  /** Who is reachable from now on, and who is not; may repeat what is known. */
  readonly links: readonly { readonly assetId: AssetId; readonly isUp: boolean }[];
  /** To be published to the asset. */
  readonly commands: readonly { readonly topic: string; readonly payload: Uint8Array }[];
  readonly counted: readonly (keyof IntakeCounters)[];
  /** The metrics of the message, by which commands are answered; absent: it has none that are understood. */
  readonly report?: SparkplugReport | undefined;
}

/**
 * The state of an asset whose messages depend on earlier ones. Every message changes it, so each is
 * taken once, in order of arrival, whatever becomes of its record.
 */
export interface Conversation {
  /** @throws DomainError `DECODE_FAILED`: the message changed nothing. */
  take(message: SaidMessage): Meaning;
  /** A message was lost after it came, taken or not. */
  missed(): void;
  /** Those that the asset speaks for and that are reachable through it. */
  reachable(): readonly AssetId[];
}
