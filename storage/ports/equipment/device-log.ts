import type { ListenerName, MessageOutcome } from "../../../domain/equipment/connection-log.ts";
import type { AssetId } from "../../../domain/ids.ts";

/** One attempt to connect, or the end of a connection. */
export interface LoggedConnection {
  /** `undefined`: the name belongs to no asset. */
  readonly assetId: AssetId | undefined;
  /** Orders entries of one asset; grows with time. */
  readonly sequence: number;
  /** Server clock, ms since the Unix epoch. */
  readonly atMs: number;
  /** IP address of the peer; empty where an external broker does not report it. */
  readonly address: string;
  readonly listener: ListenerName;
  /** MQTT protocol level: 3 is MQTT 3.1, 4 is 3.1.1, 5 is 5.0. `undefined`: unknown, or not MQTT. */
  readonly protocolLevel: number | undefined;
  /** What became of it, such as `accepted`, `wrong_password` or `keep_alive`. */
  readonly outcome: string;
  /** What is known beyond the outcome, such as the reason of a TLS alert. */
  readonly detail: string | undefined;
  /** As the client gave them, shortened; both may be made up. */
  readonly clientId: string | undefined;
  readonly username: string | undefined;
}

/** The newest attempts to connect, so that people can see why a device is not online. */
export interface ConnectionRecords {
  /** Adds entries and removes what is older than the newest `CONNECTIONS_PER_ASSET` of each asset touched. */
  add(entries: readonly LoggedConnection[]): Promise<void>;
  /** Newest first; `undefined`: those under names that no asset has. */
  newest(assetId: AssetId | undefined, limit: number): Promise<readonly LoggedConnection[]>;
  /** Deletes a bounded number of entries from before `beforeMs`; yields whether more are left. */
  expire(beforeMs: number): Promise<boolean>;
}

/** One message of a device and what became of it. */
export interface LoggedMessage {
  /** Server clock, ms since the Unix epoch. */
  readonly receivedAtMs: number;
  readonly topic: string;
  readonly payloadBytes: number;
  /** MQTT quality of service; 1 for other protocols that acknowledge. */
  readonly qos: number;
  readonly outcome: MessageOutcome;
  /** Why, where the outcome alone does not say it. */
  readonly reason: string | undefined;
  /** What is remarkable about its readings, a line each; absent: nothing. */
  readonly notices?: readonly string[];
  readonly readings: number;
  /** Newest fix time of its readings, ms since the Unix epoch; `undefined`: it has none. */
  readonly newestFixMs: number | undefined;
}

/** What one ingest process remembers of an asset's messages. */
export interface MessageView {
  /** Since when it remembers, ms since the Unix epoch. */
  readonly sinceMs: number;
  /** Newest first. */
  readonly messages: readonly LoggedMessage[];
}

/**
 * Questions of API processes about messages, and the answers of ingest processes, which alone know
 * them. Times are those of the store's own clock.
 */
export interface MessageViews {
  /** Asks every ingest process for its view of the asset; yields a token for `answers`. */
  ask(assetId: AssetId): Promise<number>;
  /** Assets that were asked about and that this node has not answered for; forgets questions after a minute. */
  unanswered(nodeId: string): Promise<readonly AssetId[]>;
  answer(nodeId: string, assetId: AssetId, view: MessageView): Promise<void>;
  /** Answers that came after the question with that token. */
  answers(assetId: AssetId, token: number): Promise<readonly MessageView[]>;
}
