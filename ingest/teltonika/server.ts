import { createServer } from "node:net";
import type { Logger } from "pino";
import type { AssetId } from "../../domain/ids.ts";
import { MINUTE_MS } from "../../domain/time.ts";
import type { ProxyProtocol } from "../../tls/proxy-protocol/proxy-protocol.ts";
import type { ConnectionOutcome } from "../broker/connection-outcome.ts";
import type { ClaimedSession } from "../client-sessions/claimed-session.ts";
import type { ClientSessionClaims } from "../client-sessions/client-session-claims.ts";
import type { Codec12Commands } from "../commands/codec12-commands.ts";
import { HourlyNames } from "../credentials/hourly-names.ts";
import { teltonikaCodec8 } from "../decoders/teltonika/codec8.ts";
import type { DeviceReport } from "../device-log/connections/noted-connections.ts";
import type { MessageLog } from "../device-log/messages/message-log.ts";
import type { AssetDirectory, AssetEntry } from "../directories/asset-directory.ts";
import type { Intake } from "../intake/intake.ts";
import { createCounters } from "../intake/readings/counters.ts";
import type { IntakeSession } from "../intake/session.ts";
import { DEVICE_BACKLOG, listenForDevices } from "../sockets/listen-for-devices.ts";
import { type Admission, type ConnectionOwner, TeltonikaConnection } from "./connection.ts";
import { TELTONIKA_COUNTERS } from "./counters.ts";

/**
 * Connections at most, known or not. More let strangers take memory and sockets; fewer could refuse trackers of a
 * large fleet.
 */
const MAX_CONNECTIONS = 50_000;
/** Time for the IMEI, ms; the same as for a CONNECT of MQTT. */
const HANDSHAKE_MS = 10_000;
/**
 * Silence after which a connection counts as half-open, ms. Chosen: a parked tracker reports each hour
 * or less often, and connects again for that; nothing of it is lost.
 */
const IDLE_MS = 15 * MINUTE_MS;
/**
 * Time that a link has before another one of its IMEI may end it, ms. Chosen: whoever knows an IMEI could
 * else keep its tracker from ever hearing an answer; trackers wait longer before they connect again.
 */
const LEAST_LINK_MS = 1_000;

/** What the log of an asset's messages says of a packet that was damaged in transit. */
const BAD_CRC = "wrong CRC: answered by 0 records, so that the tracker sends the packet again";

/** The connection that an asset's tracker is let in on, and since when. */
interface Link {
  readonly connection: TeltonikaConnection;
  /** Server clock, ms since the Unix epoch. */
  readonly sinceMs: number;
  readonly claimed: ClaimedSession | undefined;
}

export interface TeltonikaOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  readonly intake: Pick<Intake, "accepting" | "openSession" | "offer">;
  readonly directory: Pick<AssetDirectory, "find" | "findByHardwareId" | "onChange">;
  /** Brings trackers their commands in Codec 12. Absent: there are none. */
  readonly commands?: Codec12Commands;
  /** Which process has which tracker. Absent: this is the only one. */
  readonly sessionClaims?: Pick<ClientSessionClaims, "claim"> | undefined;
  /** Takes the addresses of trackers from balancers. Absent: they are those of the connections. */
  readonly proxyProtocol?: ProxyProtocol | undefined;
  readonly log: Logger;
  /** Hears of every log-in, refusal and end of a connection; must not throw and must not take long. */
  readonly onConnection?: (report: DeviceReport) => void;
  /** Remembers packets that intake never sees. Absent: they are not remembered. */
  readonly messages?: Pick<MessageLog, "note">;
  /** Server clock, ms since the Unix epoch. */
  readonly now?: () => number;
  readonly handshakeMs?: number;
  readonly idleMs?: number;
}

/**
 * The TCP port that Teltonika trackers send Codec 8 and 8 Extended to. An IMEI that is an asset's `hardware_id`
 * is let in; a packet's records are acknowledged when the journal has them, decoded or, where that fails, in
 * quarantine as they came.
 */
export class TeltonikaServer {
  readonly #options: TeltonikaOptions;
  readonly #now: NonNullable<TeltonikaOptions["now"]>;
  readonly #counters = createCounters(TELTONIKA_COUNTERS);
  readonly #connections = new Set<TeltonikaConnection>();
  /** One tracker has one link: an older one is half-open. */
  readonly #linksByAsset = new Map<AssetId, Link>();
  readonly #strangers = new HourlyNames();
  readonly #owner: ConnectionOwner;
  readonly #server = createServer({ noDelay: true, keepAlive: true }, (socket) => {
    this.#counters.teltonika_connections += 1;
    this.#connections.add(new TeltonikaConnection(socket, this.#owner));
  });
  #port = 0;

  /** @throws DomainError `SETTINGS_INVALID` when the port cannot be used. */
  static async open(options: TeltonikaOptions): Promise<TeltonikaServer> {
    const server = new TeltonikaServer(options);
    await server.#listen();
    return server;
  }

  private constructor(options: TeltonikaOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#owner = {
      handshakeMs: this.#options.handshakeMs ?? HANDSHAKE_MS,
      idleMs: this.#options.idleMs ?? IDLE_MS,
      now: this.#now,
      count: (counter) => {
        this.#counters[counter] += 1;
      },
      admit: (imei, connection) => this.#admit(imei, connection),
      topic: (session) => this.#topicOf(session),
      offer: (session, inbound) => {
        // A message that breaks intake must cost its own connection only, not the process.
        try {
          this.#options.intake.offer(session, inbound);
        } catch (error) {
          this.#counters.teltonika_failed += 1;
          this.#options.log.error(
            { err: error, assetId: session.assetId },
            "message failed in intake",
          );
          session.fail("failed");
        }
      },
      onBadCrc: (session, { bytes }) => {
        this.#counters.teltonika_bad_crc += 1;
        this.#options.messages?.note(session.assetId, {
          receivedAtMs: this.#now(),
          topic: this.#topicOf(session) ?? "",
          payloadBytes: bytes.byteLength,
          qos: 1,
          outcome: "ignored",
          reason: BAD_CRC,
          readings: 0,
          newestFixMs: undefined,
        });
      },
      onResponse: ({ assetId }, response) => this.#options.commands?.responded(assetId, response),
      onHeld: (connection, detail) => {
        this.#report(connection, "quota", connection.session?.assetId, detail);
      },
      onIntakeClosed: ({ assetId }, reason) => {
        this.#options.log.warn({ assetId, reason }, "device session closed by intake");
      },
      onClosed: (connection, outcome) => {
        this.#connections.delete(connection);
        this.#options.commands?.closed(connection);
        const assetId = connection.session?.assetId;
        this.#report(connection, outcome, assetId);
        const link = assetId === undefined ? undefined : this.#linksByAsset.get(assetId);
        if (assetId !== undefined && link?.connection === connection) {
          this.#linksByAsset.delete(assetId);
          void link.claimed?.release();
        }
      },
    };
    // A deleted asset, or one that another tracker belongs to now, ends what its tracker opened.
    this.#options.directory.onChange((assetId: AssetId, entry: AssetEntry | undefined) => {
      const link = this.#linksByAsset.get(assetId)?.connection;
      if (link === undefined || link.imei === entry?.asset.hardware_id) return;
      this.#counters.teltonika_asset_changed += 1;
      link.end("credential_changed");
    });
    this.#server.maxConnections = MAX_CONNECTIONS;
  }

  get port(): number {
    return this.#port;
  }

  /** Counters since the start, and the gauge `teltonika_sessions`. */
  stats(): Readonly<Record<string, number>> {
    return { ...this.#counters, teltonika_sessions: this.#linksByAsset.size };
  }

  /** Stops listening and closes all connections. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const connection of [...this.#connections]) connection.end("shutdown");
    await closed;
  }

  async #listen(): Promise<void> {
    const { host, port, log, proxyProtocol } = this.#options;
    const place = { host, port, backlog: DEVICE_BACKLOG };
    this.#port = await listenForDevices(this.#server, "TELTONIKA_PORT", place, proxyProtocol);
    // No file handle left for one more connection, for instance: those that are there go on.
    this.#server.on("error", (error) => log.error({ err: error }, "tracker not let in"));
  }

  #admit(imei: string, connection: TeltonikaConnection): Admission {
    if (!this.#options.intake.accepting) {
      this.#counters.teltonika_degraded += 1;
      return "later";
    }
    const entry = this.#options.directory.findByHardwareId(imei);
    if (entry === undefined) {
      this.#counters.teltonika_unknown_imei += 1;
      // What a person needs to register the device.
      if (this.#strangers.isNew(imei, this.#now())) {
        this.#options.log.warn({ imei }, "no asset has the hardware_id of this tracker");
      }
      return "unknown";
    }
    const assetId = entry.asset.id;
    const older = this.#linksByAsset.get(assetId);
    // Also when the clock stepped back.
    if (older !== undefined && Math.abs(this.#now() - older.sinceMs) < LEAST_LINK_MS) {
      this.#counters.teltonika_too_soon += 1;
      return "too_soon";
    }
    if (older !== undefined) {
      this.#counters.teltonika_replaced += 1;
      older.connection.end("takeover");
    }
    const claimed = this.#claim(assetId, connection);
    this.#linksByAsset.set(assetId, { connection, sinceMs: this.#now(), claimed });
    this.#counters.teltonika_logins += 1;
    this.#report(connection, "accepted", assetId);
    // Behind the answer to the IMEI, which is written when this returns.
    if (this.#options.commands !== undefined) {
      setImmediate(() => {
        if (this.#linksByAsset.get(assetId)?.connection === connection) {
          this.#options.commands?.opened(assetId, connection);
        }
      });
    }
    const identity = { assetId, clientId: `teltonika/${imei}`, keepAliveMs: 0 };
    return { session: this.#options.intake.openSession(identity, connection) };
  }

  /** Ends the tracker's link at another process, a moment later. */
  #claim(assetId: AssetId, connection: TeltonikaConnection): ClaimedSession | undefined {
    const owner = { name: `teltonika/${assetId}`, assetId, isLink: false };
    return this.#options.sessionClaims?.claim(owner, () => {
      this.#counters.teltonika_replaced += 1;
      connection.end("takeover");
    });
  }

  #report(
    { imei, address }: TeltonikaConnection,
    outcome: ConnectionOutcome,
    assetId: AssetId | undefined,
    detail?: string,
  ): void {
    // A port scanner sends nothing and is not worth an entry.
    if (imei === "" && outcome !== "connect_timeout" && outcome !== "malformed") return;
    const hardwareId = imei === "" ? undefined : imei;
    const known = assetId ?? this.#options.directory.findByHardwareId(imei)?.asset.id;
    const listener = "teltonika" as const;
    const who = { listener, assetId: known, hardwareId, address };
    this.#options.onConnection?.({ ...who, outcome, detail, atMs: this.#now() });
  }

  #topicOf({ assetId }: IntakeSession): string | undefined {
    const projectId = this.#options.directory.find(assetId)?.project.id;
    if (projectId === undefined) return undefined;
    return `sites/${projectId}/assets/${assetId}/${teltonikaCodec8.topicFormat}`;
  }
}
