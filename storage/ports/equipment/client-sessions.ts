import type { AssetId } from "../../../domain/ids.ts";

/** A client that has connected to one of several alike ingest processes. */
export interface ClientSession {
  /** Names the session in all processes; 64 characters at most. */
  readonly id: string;
  /** `undefined`: a reader of events. */
  readonly assetId: AssetId | undefined;
  /** Whether the session is the asset's link, whose end may make it offline. */
  readonly isLink: boolean;
  /** When it connected, by the clock of its process, ms since the Unix epoch. */
  readonly atMs: number;
}

/** A session under the number of one claim; the number rises with every claim of that session. */
export interface NumberedSession {
  readonly id: string;
  readonly epoch: number;
}

/**
 * What became of a claim.
 * - `held`: the session is the process's own now.
 * - `banned`: its connections ended each other too often.
 * - `superseded`: another process has it for a client that connected later. Only where claims are late.
 */
export type ClaimResult = { readonly id: string } & (
  | { readonly outcome: "held"; readonly epoch: number }
  | { readonly outcome: "banned" | "superseded" }
);

/** When sessions are banned whose connections end each other. */
export interface TakeoverLimit {
  /** Within a minute. */
  readonly takeovers: number;
  readonly bannedMs: number;
}

/**
 * Which ingest process has the session of each client, so that a client that connects to another process ends its
 * older connection [MQTT-3.1.4-2]. Calls take batches: a whole fleet may come back at once.
 */
export interface ClientSessions {
  /**
   * Gives the process these sessions, whoever had them. `isLate`: the clients connected while the store was away; a
   * session of a client that connected later stays where it is. No id may come twice.
   */
  claim(
    nodeId: string,
    sessions: readonly ClientSession[],
    isLate: boolean,
  ): Promise<readonly ClaimResult[]>;
  /** Gives up what the process still has; yields the ids of sessions that another claim has now. */
  release(nodeId: string, sessions: readonly NumberedSession[]): Promise<readonly string[]>;
  /** Sessions that other processes have taken from this one, with the numbers of their claims. */
  lost(nodeId: string): Promise<readonly NumberedSession[]>;
  /** The process has ended those connections. */
  forgetLost(nodeId: string, sessions: readonly NumberedSession[]): Promise<void>;
  /** Counts how often connections with one id ended each other, and bans ids that reach the limit. */
  countTakeovers(counts: ReadonlyMap<string, number>, limit: TakeoverLimit): Promise<void>;
  /** The process is alive. Yields whether it was not known before: then the store has no session of it. */
  beat(nodeId: string): Promise<boolean>;
  /** Processes that were not seen for that long, by the clock of the database, and when they were, ms. */
  silentNodes(
    silentMs: number,
  ): Promise<readonly { readonly nodeId: string; readonly seenAtMs: number }[]>;
  /** Sessions of a process, at most `limit`. */
  ofNode(nodeId: string, limit: number): Promise<readonly (NumberedSession & ClientSession)[]>;
  /** Those of the assets whose link another process has; `isLink` sessions only. */
  elsewhere(nodeId: string, assetIds: readonly AssetId[]): Promise<readonly AssetId[]>;
  /** The process that an asset connected to last, of those that have a session of it. */
  newestNode(assetId: AssetId): Promise<string | undefined>;
  /** Forgets a process that has no sessions any more, and take-overs that ended long ago. */
  forgetNode(nodeId: string): Promise<void>;
  forgetTakeovers(): Promise<void>;
}
