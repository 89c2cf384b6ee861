import type { Duplex } from "node:stream";
import type { AedesOptions, AuthenticateError, Client, PublishPacket } from "aedes";
import type { Logger } from "pino";
import type { Tls } from "../../tls/tls.ts";
import { ConnectionCommands, type MqttCommandsParts } from "../commands/mqtt-commands.ts";
import { HourlyNames } from "../credentials/hourly-names.ts";
import type { AssetDirectory } from "../directories/asset-directory.ts";
import { InboundMessage } from "../intake/inbound-message.ts";
import type { Intake } from "../intake/intake.ts";
import { createCounters } from "../intake/readings/counters.ts";
import type { IntakeSession } from "../intake/session.ts";
import { hostStates } from "../sparkplug/host-state.ts";
import type { Arrival } from "./arrival.ts";
import { outcomeOf } from "./client-error.ts";
import { MqttConnection } from "./connection.ts";
import { type ConnectionReport, RETURN_CODE } from "./connection-outcome.ts";
import type { ConnectionOwner } from "./connection-owner.ts";
import { BROKER_COUNTERS } from "./counters.ts";
import { openDeviceAedes } from "./device-aedes.ts";
import { printable } from "./frames/printable.ts";
import { type KeptSessions, MAX_KEPT_CLIENT_ID } from "./kept-sessions.ts";
import { type BrokerPorts, type ListenerSettings, openListeners } from "./listeners.ts";
import { type LinkFollower, LiveSessions } from "./live-sessions.ts";
import { createLogin, type LoginResult, READER, type ReaderAccess, sessionId } from "./login.ts";
import { mayReceive, maySubscribe } from "./subscriptions.ts";

/**
 * Bytes that wait for one subscriber at most; then it is cut. More lets slow readers take memory; less cuts
 * readers at a burst of events.
 */
const MAX_BACKLOG_BYTES = 1024 * 1024;
/**
 * Topic filters of one connection at most. More make every message cost more matching; fewer could refuse a reader
 * of many sites.
 */
const MAX_FILTERS = 20;

export interface BrokerOptions {
  readonly settings: ListenerSettings;
  /** Absent: no listener with TLS is opened. */
  readonly tls?: Tls | undefined;
  readonly intake: Intake;
  readonly directory: AssetDirectory;
  /** Absent: connected assets are not followed. */
  readonly links?: LinkFollower;
  /** Compares a device's secret with its HMAC-SHA-256 under the pepper, in constant time. */
  readonly verifySecret: (secret: string, hash: Uint8Array) => boolean;
  /** What an API key may read; `undefined`: no such key, expired, revoked, or without `events:read`. */
  readonly authenticateReader: (key: string) => Promise<ReaderAccess | undefined>;
  /** Keeps the sessions of readers that ask for it; absent: every session is a clean one. */
  readonly keptSessions?: KeptSessions;
  /** Brings devices the commands that people send them. Absent: there are none. */
  readonly commands?: MqttCommandsParts;
  /** Receives the function that sends commands, before the first device can connect. */
  readonly onCommands?: (command: Broker["command"]) => void;
  /** Called for every log-in, refusal and end of a connection; must not throw and must not take long. */
  readonly onConnection?: (report: ConnectionReport) => void;
  readonly log: Logger;
  /** Server clock, ms since the Unix epoch. */
  readonly now?: () => number;
}

/** The MQTT broker that devices and readers connect to. */
export interface Broker {
  readonly ports: BrokerPorts;
  /**
   * Publishes to the readers with a clean session that are connected now, at QoS 1 to those that
   * subscribed with 1 or 2; never waits for any of them.
   */
  publish(topic: string, payload: string): void;
  /** Publishes to the devices that are connected now, at QoS 0. */
  command(topic: string, payload: Uint8Array): void;
  /** Counters since the start, and the gauges `sessions` and `readers`. */
  stats(): Readonly<Record<string, number>>;
  /** Stops listening and closes all connections; their wills are offered to intake first. */
  close(): Promise<void>;
}

/**
 * Opens the broker: MQTT 3.1.1 on TCP, and on WebSocket and TLS where the settings ask for it.
 * Every session of a device is a clean one: nothing of it outlives the connection, and intake knows resent
 * messages. A reader's session is kept where it asks for that, in the record store.
 */
export async function openBroker(options: BrokerOptions): Promise<Broker> {
  const { settings, tls, intake, directory, keptSessions, log, now = Date.now } = options;
  const counters = createCounters(BROKER_COUNTERS);
  const refusedVersions = new HourlyNames();
  const login = createLogin({
    ...options,
    isTaken: (id) => liveSessions.isTaken(id),
    counters,
    now,
    onBarred: (what) => log.warn(what, "too many failed log-ins"),
  });
  const liveSessions = new LiveSessions({ ...options, counters, now });

  /** A message that breaks intake must cost its own connection only, not the process. */
  const offer = (session: IntakeSession, inbound: InboundMessage): void => {
    try {
      intake.offer(session, inbound);
    } catch (error) {
      counters.failed += 1;
      log.error({ err: error, assetId: session.assetId }, "message failed in intake");
      session.fail("failed");
    }
  };

  /** Whether the client is a reader that asked for a kept session. */
  const keepsSession = ({ connect }: MqttConnection): boolean =>
    keptSessions !== undefined && connect?.username === READER && !connect.cleanSession;

  /** A reader's log-in is complete when it has the session that it asked for. */
  async function withSession(
    connection: MqttConnection,
    login: LoginResult | Promise<LoginResult>,
  ): Promise<LoginResult> {
    const outcome = await login;
    if (!("principal" in outcome) || outcome.principal.kind !== "reader") return outcome;
    const { keyId } = outcome.principal.access;
    const refusal = await keptSessions?.admit(connection, keyId);
    return refusal === undefined ? outcome : { refusal };
  }

  const owner: ConnectionOwner<MqttConnection> = {
    now,
    offer,
    onAcknowledged: () => {
      counters.acknowledged += 1;
    },
    repeat: (session, inbound) => {
      counters.qos2_repeated += 1;
      intake.repeat(session, inbound);
    },
    onVersionRefused: ({ connect, arrival: { address } }) => {
      counters.version_refused += 1;
      const { clientId = "", username = "", protocolLevel } = connect ?? {};
      if (!refusedVersions.isNew(`${address} ${username} ${clientId}`, now())) return;
      const client = { clientId: printable(clientId), username: printable(username), address };
      const remedy = "set the client to MQTT 3.1.1 (protocol level 4)";
      log.warn({ ...client, protocolLevel, remedy }, "client refused for its MQTT version");
    },
    onViolation: (_connection, problem) => {
      counters[problem] += 1;
    },
    onIntakeClosed: (connection, reason) => {
      const { assetId } = connection.session ?? {};
      log.warn({ assetId, reason }, "device session closed by intake");
    },
    onOutcome: (report) => options.onConnection?.(report),
  };

  const hooks: AedesOptions = {
    preConnect(client, packet, done) {
      const connection = client.conn as MqttConnection;
      const { clientId, password } = packet;
      connection.sessionId = sessionId({ username: connection.username, password, clientId });
      packet.clientId = connection.sessionId;
      packet.clean = !keepsSession(connection);
      // Watched by LiveSessions: aedes does not see the packets that prove a device alive.
      packet.keepalive = 0;
      done(null, true);
    },

    authenticate(client, _username, password, done) {
      const connection = client.conn as MqttConnection;
      const { connect, sessionId, arrival, username } = connection;
      if (connect === undefined) return done(null, false);
      const { clientId, cleanSession } = connect;
      const isTooLong = keepsSession(connection) && clientId.length > MAX_KEPT_CLIENT_ID;
      const result = login({
        address: arrival.address,
        sessionId,
        lacksId: !cleanSession && (clientId === "" || isTooLong),
        username,
        password: password?.toString(),
        certificateNames: arrival.certificate?.names,
      });
      withSession(connection, result).then(
        (outcome) => {
          if ("principal" in outcome) {
            connection.principal = outcome.principal;
            liveSessions.expectTakeover(sessionId);
            done(null, true);
          } else {
            connection.outcome = outcome.refusal;
            const error = new Error("log-in refused") as AuthenticateError;
            error.returnCode = RETURN_CODE[outcome.refusal];
            done(error, false);
          }
        },
        (error: unknown) => {
          log.error({ err: error }, "log-in check failed");
          done(null, false);
        },
      );
    },

    /** Wills; everything else that a client publishes goes from the connection straight to intake. */
    authorizePublish(client, packet, done) {
      const connection = client?.conn as MqttConnection | undefined;
      const session = connection === undefined ? undefined : liveSessions.willSession(connection);
      if (session === undefined) {
        counters.reader_publish += 1;
        return done(new Error("only devices publish"));
      }
      counters.wills += 1;
      const message = {
        topic: packet.topic,
        payload: Buffer.isBuffer(packet.payload) ? packet.payload : Buffer.from(packet.payload),
        qos: packet.qos,
        dup: packet.dup === true,
        packetId: packet.messageId ?? 0,
      };
      const reply = (error?: Error): void => {
        if (error === undefined) counters.acknowledged += 1;
        done(error ?? null);
      };
      offer(session, new InboundMessage(message, now(), reply));
    },

    authorizeSubscribe(client, subscription, done) {
      const connection = client.conn as MqttConnection;
      const { principal } = connection;
      connection.filters += 1;
      const granted =
        principal !== undefined &&
        connection.filters <= MAX_FILTERS &&
        maySubscribe(principal, subscription.topic, directory);
      if (!granted) counters.subscribe_denied += 1;
      // null: SUBACK 128, and the connection stays [MQTT-3.9.3].
      if (!granted || connection.kept === undefined)
        return done(null, granted ? subscription : null);
      connection.kept.subscribe(subscription.topic, subscription.qos).then(
        () => done(null, subscription),
        (error: unknown) => {
          log.warn({ err: error }, "subscription of a kept session is not stored");
          done(null, null);
        },
      );
    },

    authorizeForward(client, packet) {
      const connection = client.conn as MqttConnection;
      const { principal } = connection;
      if (connection.destroyed || principal === undefined) return null;
      // It reads the outbox itself.
      if (connection.kept !== undefined) return null;
      if (!mayReceive(principal, packet.topic, directory)) return null;
      if (connection.backlogBytes <= MAX_BACKLOG_BYTES) return packet;
      counters.slow_subscriber += 1;
      connection.finish("slow_subscriber");
      return null;
    },
  };
  const aedes = await openDeviceAedes(hooks, {
    of: (clientId) => keptSessions?.subscriptionsOf(clientId) ?? [],
    remove: async (client, filters) => {
      await (client.conn as MqttConnection).kept?.unsubscribe(filters);
    },
  });

  aedes.on("clientReady", (client: Client) => {
    const connection = client.conn as MqttConnection;
    liveSessions.take(connection, client.id);
    connection.kept?.begin();
  });
  const { commands } = options;
  aedes.on("subscribe", (subscriptions, client: Client) => {
    const connection = client.conn as MqttConnection;
    if (commands === undefined || connection.principal?.kind !== "device") return;
    const { assetId } = connection.principal;
    for (const { topic, qos } of subscriptions) {
      // 128: it was refused.
      if (qos > 2) continue;
      connection.commands ??= new ConnectionCommands(connection, assetId, commands);
      connection.commands.subscribed(topic, qos);
    }
  });
  aedes.on("unsubscribe", (filters, client: Client) => {
    for (const filter of filters) (client.conn as MqttConnection).commands?.unsubscribed(filter);
  });
  const onClientError = (_client: Client, error: Error): void => {
    const outcome = outcomeOf(error);
    if (outcome !== undefined) counters[outcome] += 1;
  };
  aedes.on("clientError", onClientError);
  aedes.on("connectionError", onClientError);

  const send = (packet: Pick<PublishPacket, "topic" | "payload" | "qos" | "retain">): void => {
    aedes.publish({ cmd: "publish", dup: false, ...packet }, (error) => {
      if (error !== undefined && error !== null) {
        log.warn({ err: error, topic: packet.topic }, "message not published");
      }
    });
  };
  const command: Broker["command"] = (topic, payload) => {
    counters.commands_published += 1;
    send({ topic, payload: Buffer.from(payload), qos: 0, retain: false });
  };
  options.onCommands?.(command);

  const accept = (transport: Duplex, arrival: Arrival): void => {
    counters.connections += 1;
    const connection = new MqttConnection(transport, arrival, owner);
    if (arrival.certificate !== undefined) {
      arrival.certificate.onRevoked = () => {
        counters.credential_closed += 1;
        connection.finish("certificate_revoked");
      };
    }
    aedes.handle(connection);
  };
  const listeners = await openListeners(settings, tls, accept).catch(async (error: unknown) => {
    await new Promise<void>((resolve) => aedes.close(resolve));
    throw error;
  });

  // Edge nodes that wait for a host hear at once that there is one.
  for (const state of hostStates(now())) send({ ...state, qos: 1, retain: true });

  return {
    ports: listeners.ports,
    publish(topic, payload) {
      counters.events_published += 1;
      // To a clean session aedes writes a QoS 1 message once and keeps nothing of it: what waits for a
      // subscriber is in its socket, and that is bounded. Nothing is sent again; a reader that must miss
      // nothing has a kept session, or asks the API.
      send({ topic, payload, qos: 1, retain: false });
    },
    command,
    stats: () => ({ ...counters, ...liveSessions.gauges() }),
    async close() {
      listeners.close();
      liveSessions.close();
      await new Promise<void>((resolve) => aedes.close(resolve));
    },
  };
}
