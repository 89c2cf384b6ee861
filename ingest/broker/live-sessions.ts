import type { AssetId } from "../../domain/ids.ts";
import type { AssetDirectory, AssetEntry } from "../directories/asset-directory.ts";
import type { Intake } from "../intake/intake.ts";
import type { IntakeSession, SessionListener } from "../intake/session.ts";
import type { LinkEnd } from "../journal-record/link-change.ts";
import type { MqttConnection } from "./connection.ts";
import { linkEndOf } from "./connection-outcome.ts";
import type { BrokerCounters } from "./counters.ts";
import type { ReaderAccess } from "./login.ts";

/**
 * How often keep-alives and readers' keys are checked, ms; a dead peer is noticed that much later
 * at most. The keyring refreshes at most every 2.5 s and the next check sees the revocation: within
 * the 5 s of docs/rules.md#keys-and-requests. More
 * often walks over all sessions for nothing.
 */
const SWEEP_MS = 1_000;
/** A client is dead after one and a half keep-alives [MQTT-3.1.2-24]. */
const KEEP_ALIVE_GRACE = 1.5;
/**
 * How long a device may leave its PUBACKs unread, ms. Longer keeps memory for a peer that is gone; shorter cuts
 * devices on poor links.
 */
const MAX_BLOCKED_MS = 10_000;

/** A will gets no answer: its connection is gone. */
const NOBODY: SessionListener = {
  acknowledge: () => undefined,
  relieved: () => undefined,
  close: () => undefined,
};

/** Is notified which assets have a session; must not throw and must not take long. */
export interface LinkFollower {
  /** The asset has a session, and had none before. */
  opened(assetId: AssetId): void;
  /** The asset's last session ended, or that of the gateway `by` that it is reached through. */
  closed(assetId: AssetId, end: LinkEnd, by?: AssetId): void;
}

/** Every connection that is logged in, and the reasons to end one. */
export class LiveSessions {
  readonly #intake: Intake;
  readonly #counters: BrokerCounters;
  readonly #now: () => number;
  readonly #authenticateReader: (key: string) => Promise<ReaderAccess | undefined>;
  readonly #devices = new Map<AssetId, Set<MqttConnection>>();
  readonly #readers = new Set<MqttConnection>();
  /** Open connections by session id; two for the moment of a take-over. */
  readonly #connectionsById = new Map<string, Set<MqttConnection>>();
  readonly #directory: AssetDirectory;
  readonly #links: LinkFollower | undefined;
  readonly #timer: NodeJS.Timeout;
  #sessions = 0;
  #isClosing = false;

  constructor(options: {
    readonly intake: Intake;
    readonly directory: AssetDirectory;
    readonly links?: LinkFollower;
    readonly authenticateReader: (key: string) => Promise<ReaderAccess | undefined>;
    readonly counters: BrokerCounters;
    readonly now: () => number;
  }) {
    this.#intake = options.intake;
    this.#directory = options.directory;
    this.#links = options.links;
    this.#authenticateReader = options.authenticateReader;
    this.#counters = options.counters;
    this.#now = options.now;
    options.directory.onChange((assetId, entry) => this.#onAssetChange(assetId, entry));
    this.#timer = setInterval(() => this.#sweep(), SWEEP_MS);
    this.#timer.unref();
  }

  /** Whether a connection with that session id is open: the next one would take it over. */
  isTaken(sessionId: string): boolean {
    return this.#connectionsById.has(sessionId);
  }

  /** Says of connections with that session id why they are about to end. */
  expectTakeover(sessionId: string): void {
    for (const connection of this.#connectionsById.get(sessionId) ?? []) {
      if (!connection.destroyed) connection.outcome = "takeover";
    }
  }

  gauges(): { readonly sessions: number; readonly readers: number } {
    return { sessions: this.#sessions, readers: this.#readers.size };
  }

  /** Registers a connection whose log-in is complete, and lets it read on. */
  take(connection: MqttConnection, clientId: string): void {
    const { principal, connect, sessionId } = connection;
    if (connection.destroyed || principal === undefined || connect === undefined) return;
    this.#noteId(connection, sessionId);
    if (principal.kind === "reader") {
      this.#readers.add(connection);
      connection.once("close", () => this.#readers.delete(connection));
      connection.open(undefined);
      return;
    }
    const { assetId, secretHash } = principal;
    // The secret may have been rotated while the log-in was under way.
    if (!hasSecret(this.#directory.find(assetId), secretHash)) {
      this.#counters.credential_closed += 1;
      connection.finish("credential_changed");
      return;
    }
    const connections = this.#devices.get(assetId) ?? new Set();
    this.#devices.set(assetId, connections.add(connection));
    this.#sessions += 1;
    if (connections.size === 1) this.#links?.opened(assetId);
    connection.once("close", () => this.#leave(connection, assetId, connections));
    const keepAliveMs = connect.keepAliveS * 1_000;
    connection.open(this.#intake.openSession({ assetId, clientId, keepAliveMs }, connection));
  }

  #leave(connection: MqttConnection, assetId: AssetId, connections: Set<MqttConnection>): void {
    this.#sessions -= 1;
    connections.delete(connection);
    if (connections.size > 0) return;
    this.#devices.delete(assetId);
    // When the broker closes, no device did: the next start says that all sessions are gone.
    if (!this.#isClosing) this.#links?.closed(assetId, linkEndOf(connection.outcome));
  }

  #noteId(connection: MqttConnection, sessionId: string): void {
    const connections = this.#connectionsById.get(sessionId) ?? new Set();
    this.#connectionsById.set(sessionId, connections.add(connection));
    connection.once("close", () => {
      connections.delete(connection);
      if (connections.size === 0) this.#connectionsById.delete(sessionId);
    });
  }

  /** A session for the will of a connection that is gone: the same asset, without answers. */
  willSession(connection: MqttConnection): IntakeSession | undefined {
    const { principal, connect, sessionId: clientId } = connection;
    if (principal?.kind !== "device" || connect === undefined) return undefined;
    const { assetId } = principal;
    const keepAliveMs = connect.keepAliveS * 1_000;
    const identity = { assetId, clientId, keepAliveMs, willOf: connection.session };
    return this.#intake.openSession(identity, NOBODY);
  }

  close(): void {
    this.#isClosing = true;
    clearInterval(this.#timer);
    for (const connections of [this.#readers, ...this.#devices.values()]) {
      for (const connection of connections) {
        if (!connection.destroyed) connection.outcome = "shutdown";
      }
    }
  }

  /** A new secret or a deleted asset ends what was opened with the old one. */
  #onAssetChange(assetId: AssetId, entry: AssetEntry | undefined): void {
    for (const connection of [...(this.#devices.get(assetId) ?? [])]) {
      const { principal } = connection;
      if (principal?.kind === "device" && hasSecret(entry, principal.secretHash)) continue;
      this.#counters.credential_closed += 1;
      connection.finish("credential_changed");
    }
  }

  #sweep(): void {
    const nowMs = this.#now();
    for (const connections of this.#devices.values()) {
      for (const connection of connections) this.#checkAlive(connection, nowMs);
    }
    for (const connection of this.#readers) {
      this.#checkAlive(connection, nowMs);
      this.#recheck(connection);
    }
  }

  #checkAlive(connection: MqttConnection, nowMs: number): void {
    const keepAliveMs = (connection.connect?.keepAliveS ?? 0) * 1_000;
    if (keepAliveMs > 0 && connection.silenceMs(nowMs) > keepAliveMs * KEEP_ALIVE_GRACE) {
      this.#counters.keepalive_timeout += 1;
      connection.finish("keep_alive");
    } else if (connection.blockedMs(nowMs) > MAX_BLOCKED_MS) {
      this.#counters.slow_publisher += 1;
      connection.finish("slow_publisher");
    }
  }

  #recheck(connection: MqttConnection): void {
    const { principal } = connection;
    if (principal?.kind !== "reader") return;
    this.#authenticateReader(principal.key).then(
      (access) => {
        if (access !== undefined) {
          principal.access = access;
          return;
        }
        if (connection.destroyed) return;
        this.#counters.credential_closed += 1;
        connection.finish("credential_changed");
      },
      // The record store is away: the last answer holds until it is back.
      () => undefined,
    );
  }
}

/** Whether the asset is there and still has that secret; `undefined`: its session needs none. */
const hasSecret = (entry: AssetEntry | undefined, secretHash: Uint8Array | undefined): boolean =>
  entry !== undefined &&
  (secretHash === undefined || Buffer.compare(entry.secretHash, secretHash) === 0);
