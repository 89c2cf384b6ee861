import { createServer } from "node:net";
import type { Logger } from "pino";
import type { AssetId } from "../../domain/ids.ts";
import { MINUTE_MS } from "../../domain/time.ts";
import type { ConnectionOutcome } from "../broker/connection-outcome.ts";
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
}

export interface TeltonikaOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  readonly intake: Pick<Intake, "accepting" | "openSession" | "offer">;
  readonly directory: Pick<AssetDirectory, "find" | "findByHardwareId" | "onChange">;
  /** Brings trackers their commands in Codec 12. Absent: there are none. */
  readonly commands?: Codec12Commands;
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

/** The TCP port that Teltonika trackers send Codec 8 and 8 Extended to. */
export interface TeltonikaServer {
  readonly port: number;
  /** Counters since the start, and the gauge `teltonika_sessions`. */
  stats(): Readonly<Record<string, number>>;
  /** Stops listening and closes all connections. */
  close(): Promise<void>;
}

/**
 * Listens for trackers. An IMEI that is an asset's `hardware_id` is let in; a packet's records are
 * acknowledged when the journal has them, decoded or, where that fails, in quarantine as they came.
 * @throws DomainError `SETTINGS_INVALID` when the port cannot be used.
 */
export async function openTeltonika(options: TeltonikaOptions): Promise<TeltonikaServer> {
  const { host, port, intake, directory, log, onConnection, now = Date.now } = options;
  const counters = createCounters(TELTONIKA_COUNTERS);
  const connections = new Set<TeltonikaConnection>();
  /** One tracker has one link: an older one is half-open. */
  const linksByAsset = new Map<AssetId, Link>();
  const strangers = new HourlyNames();

  function admit(imei: string, connection: TeltonikaConnection): Admission {
    if (!intake.accepting) {
      counters.teltonika_degraded += 1;
      return "later";
    }
    const entry = directory.findByHardwareId(imei);
    if (entry === undefined) {
      counters.teltonika_unknown_imei += 1;
      // What a person needs to register the device.
      if (strangers.isNew(imei, now())) {
        log.warn({ imei }, "no asset has the hardware_id of this tracker");
      }
      return "unknown";
    }
    const assetId = entry.asset.id;
    const older = linksByAsset.get(assetId);
    // Also when the clock stepped back.
    if (older !== undefined && Math.abs(now() - older.sinceMs) < LEAST_LINK_MS) {
      counters.teltonika_too_soon += 1;
      return "too_soon";
    }
    if (older !== undefined) {
      counters.teltonika_replaced += 1;
      older.connection.end("takeover");
    }
    linksByAsset.set(assetId, { connection, sinceMs: now() });
    counters.teltonika_logins += 1;
    report(connection, "accepted", assetId);
    // Behind the answer to the IMEI, which is written when this returns.
    if (options.commands !== undefined) {
      setImmediate(() => {
        if (linksByAsset.get(assetId)?.connection === connection) {
          options.commands?.opened(assetId, connection);
        }
      });
    }
    const identity = { assetId, clientId: `teltonika/${imei}`, keepAliveMs: 0 };
    return { session: intake.openSession(identity, connection) };
  }

  function report(
    { imei, address }: TeltonikaConnection,
    outcome: ConnectionOutcome,
    assetId: AssetId | undefined,
    detail?: string,
  ): void {
    // A port scanner sends nothing and is not worth an entry.
    if (imei === "" && outcome !== "connect_timeout" && outcome !== "malformed") return;
    const hardwareId = imei === "" ? undefined : imei;
    const known = assetId ?? directory.findByHardwareId(imei)?.asset.id;
    const listener = "teltonika" as const;
    const who = { listener, assetId: known, hardwareId, address };
    onConnection?.({ ...who, outcome, detail, atMs: now() });
  }

  const topicOf = ({ assetId }: IntakeSession): string | undefined => {
    const projectId = directory.find(assetId)?.project.id;
    if (projectId === undefined) return undefined;
    return `sites/${projectId}/assets/${assetId}/${teltonikaCodec8.topicFormat}`;
  };

  const owner: ConnectionOwner = {
    handshakeMs: options.handshakeMs ?? HANDSHAKE_MS,
    idleMs: options.idleMs ?? IDLE_MS,
    now,
    count: (counter) => {
      counters[counter] += 1;
    },
    admit,
    topic: topicOf,
    offer(session, inbound) {
      // A message that breaks intake must cost its own connection only, not the process.
      try {
        intake.offer(session, inbound);
      } catch (error) {
        counters.teltonika_failed += 1;
        log.error({ err: error, assetId: session.assetId }, "message failed in intake");
        session.fail("failed");
      }
    },
    onBadCrc(session, { bytes }) {
      counters.teltonika_bad_crc += 1;
      options.messages?.note(session.assetId, {
        receivedAtMs: now(),
        topic: topicOf(session) ?? "",
        payloadBytes: bytes.byteLength,
        qos: 1,
        outcome: "ignored",
        reason: BAD_CRC,
        readings: 0,
        newestFixMs: undefined,
      });
    },
    onResponse: ({ assetId }, response) => options.commands?.responded(assetId, response),
    onHeld: (connection, detail) => {
      report(connection, "quota", connection.session?.assetId, detail);
    },
    onIntakeClosed: ({ assetId }, reason) => {
      log.warn({ assetId, reason }, "device session closed by intake");
    },
    onClosed(connection, outcome) {
      connections.delete(connection);
      options.commands?.closed(connection);
      const assetId = connection.session?.assetId;
      report(connection, outcome, assetId);
      if (assetId !== undefined && linksByAsset.get(assetId)?.connection === connection) {
        linksByAsset.delete(assetId);
      }
    },
  };

  /** A deleted asset, or one that another tracker belongs to now, ends what its tracker opened. */
  directory.onChange((assetId: AssetId, entry: AssetEntry | undefined) => {
    const link = linksByAsset.get(assetId)?.connection;
    if (link === undefined || link.imei === entry?.asset.hardware_id) return;
    counters.teltonika_asset_changed += 1;
    link.end("credential_changed");
  });

  const server = createServer({ noDelay: true, keepAlive: true }, (socket) => {
    counters.teltonika_connections += 1;
    connections.add(new TeltonikaConnection(socket, owner));
  });
  server.maxConnections = MAX_CONNECTIONS;
  const place = { host, port, backlog: DEVICE_BACKLOG };
  const opened = await listenForDevices(server, "TELTONIKA_PORT", place);

  // No file handle left for one more connection, for instance: those that are there go on.
  server.on("error", (error) => log.error({ err: error }, "tracker not let in"));

  return {
    port: opened,
    stats: () => ({ ...counters, teltonika_sessions: linksByAsset.size }),
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const connection of [...connections]) connection.end("shutdown");
      await closed;
    },
  };
}
