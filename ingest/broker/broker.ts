import type { Duplex } from "node:stream";
import type { AuthenticateError, Client, PublishPacket } from "aedes";
import type { Logger } from "pino";
import type { AssetId } from "../../domain/ids.ts";
import type { AssetDirectory } from "../asset-directory.ts";
import { createCounters } from "../intake/counters.ts";
import { Delivery } from "../intake/delivery.ts";
import type { Intake } from "../intake/intake.ts";
import type { IntakeSession } from "../intake/session.ts";
import { hostStates } from "../sparkplug/host-state.ts";
import { counterOf } from "./client-error.ts";
import { type ConnectionOwner, MqttConnection } from "./connection.ts";
import { BROKER_COUNTERS } from "./counters.ts";
import { openDeviceAedes } from "./device-aedes.ts";
import { type BrokerPorts, openListeners } from "./listeners.ts";
import { type BrokerSettings, createLogin, type ReaderAccess, sessionId } from "./login.ts";
import { type LinkFollower, Seats } from "./seats.ts";
import { mayReceive, maySubscribe } from "./subscriptions.ts";

/** Bytes that wait for one subscriber at most; then it is cut. Chosen. */
const MAX_BACKLOG_BYTES = 1024 * 1024;
/** Topic filters of one connection at most. Chosen. */
const MAX_FILTERS = 20;
const NO_PAYLOAD = Buffer.alloc(0);

export interface BrokerOptions {
  readonly settings: BrokerSettings;
  readonly intake: Intake;
  readonly directory: AssetDirectory;
  /** Absent: nobody follows which assets are connected. */
  readonly links?: LinkFollower;
  /** Compares a device's secret with its HMAC-SHA-256 under the pepper, in constant time. */
  readonly verifySecret: (secret: string, hash: Uint8Array) => boolean;
  /** What an API key may read; `undefined`: no such key, expired, revoked, or without `events:read`. */
  readonly authenticateReader: (key: string) => Promise<ReaderAccess | undefined>;
  readonly log: Logger;
  /** Server clock, ms since the Unix epoch. */
  readonly now?: () => number;
}

/** The MQTT broker that devices and readers connect to. */
export interface Broker {
  readonly ports: BrokerPorts;
  /** Closes every connection of an asset. */
  closeSession(assetId: AssetId): void;
  /**
   * Publishes to the readers that are connected now, at QoS 1 to those that subscribed with 1 or 2;
   * never waits for any of them.
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
 * Every session is a clean one: nothing of it outlives the connection. What a kept session is for
 * is done elsewhere: resent messages are known by intake, missed events are read from the API.
 */
export async function openBroker(options: BrokerOptions): Promise<Broker> {
  const { intake, directory, log, now = Date.now } = options;
  const counters = createCounters(BROKER_COUNTERS);
  const login = createLogin({
    ...options,
    isTaken: (id) => seats.isTaken(id),
    counters,
    now,
    onBarred: (what) => log.warn(what, "log-ins refused for a while"),
  });
  const seats = new Seats({ ...options, counters, now });

  /** A message that breaks intake must cost its own connection only, not the process. */
  const offer = (session: IntakeSession, delivery: Delivery): void => {
    try {
      intake.offer(session, delivery);
    } catch (error) {
      counters.failed += 1;
      log.error({ err: error, assetId: session.assetId }, "message failed in intake");
      session.fail("failed");
    }
  };

  const owner: ConnectionOwner = {
    now,
    offer,
    onAcknowledged: () => {
      counters.acknowledged += 1;
    },
    onViolation: (_connection, problem) => {
      counters[problem] += 1;
    },
    onIntakeClosed: (connection, reason) => {
      const { assetId } = connection.session ?? {};
      log.warn({ assetId, reason }, "device session closed by intake");
    },
  };

  const aedes = await openDeviceAedes({
    preConnect(client, packet, done) {
      const connection = client.conn as MqttConnection;
      connection.request = {
        address: connection.remoteAddress,
        sessionId: sessionId(packet.username, packet.clientId),
        lacksId: packet.clientId === "" && packet.clean === false,
        keepAliveMs: (packet.keepalive ?? 0) * 1_000,
      };
      packet.clientId = connection.request.sessionId;
      packet.clean = true;
      // Watched by Seats: aedes does not see the packets that prove a device alive.
      packet.keepalive = 0;
      done(null, true);
    },

    authenticate(client, username, password, done) {
      const connection = client.conn as MqttConnection;
      const { request } = connection;
      if (request === undefined) return done(null, false);
      const result = login({ ...request, username, password: password?.toString() });
      Promise.resolve(result).then(
        (outcome) => {
          if ("principal" in outcome) {
            connection.principal = outcome.principal;
            done(null, true);
          } else {
            const error = new Error("log-in refused") as AuthenticateError;
            error.returnCode = outcome.returnCode;
            done(error, false);
          }
        },
        (error: unknown) => {
          log.error({ err: error }, "log-in check failed");
          done(null, false);
        },
      );
    },

    /** QoS 2 and wills; QoS 0 and 1 go from the connection straight to intake. */
    authorizePublish(client, packet, done) {
      const connection = client?.conn as MqttConnection | undefined;
      const principal = connection?.principal;
      if (connection === undefined || principal?.kind !== "device") {
        counters.reader_publish += 1;
        return done(new Error("only devices publish"));
      }
      const isWill = client?.closed === true;
      if (isWill) counters.wills += 1;
      const session = isWill ? seats.willSession(connection) : connection.session;
      if (session === undefined) return done(new Error("no session"));
      const message = {
        topic: packet.topic,
        payload: Buffer.isBuffer(packet.payload) ? packet.payload : Buffer.from(packet.payload),
        qos: packet.qos,
        dup: packet.dup === true,
        packetId: packet.messageId ?? 0,
      };
      const reply = (error?: Error): void => {
        if (error === undefined) counters.acknowledged += 1;
        // aedes keeps a QoS 2 packet until PUBREL; the payload is in the journal.
        packet.payload = NO_PAYLOAD;
        packet.retain = false;
        done(error ?? null);
      };
      offer(session, new Delivery(message, now(), reply));
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
      done(null, granted ? subscription : null);
    },

    authorizeForward(client, packet) {
      const connection = client.conn as MqttConnection;
      const { principal } = connection;
      if (connection.destroyed || principal === undefined) return null;
      if (!mayReceive(principal, packet.topic, directory)) return null;
      if (connection.backlogBytes <= MAX_BACKLOG_BYTES) return packet;
      counters.slow_subscriber += 1;
      connection.finish("closed");
      return null;
    },
  });

  aedes.on("clientReady", (client: Client) => seats.take(client.conn as MqttConnection, client.id));
  const onClientError = (_client: Client, error: Error): void => {
    const counter = counterOf(error);
    if (counter !== undefined) counters[counter] += 1;
  };
  aedes.on("clientError", onClientError);
  aedes.on("connectionError", onClientError);

  const listeners = await openListeners(options.settings, (transport: Duplex, address: string) => {
    counters.connections += 1;
    aedes.handle(new MqttConnection(transport, address, owner));
  }).catch(async (error: unknown) => {
    await new Promise<void>((resolve) => aedes.close(resolve));
    throw error;
  });

  const send = (packet: Pick<PublishPacket, "topic" | "payload" | "qos" | "retain">): void => {
    aedes.publish({ cmd: "publish", dup: false, ...packet }, (error) => {
      if (error !== undefined && error !== null) {
        log.warn({ err: error, topic: packet.topic }, "message not published");
      }
    });
  };
  // Edge nodes that wait for a host hear at once that there is one.
  for (const state of hostStates(now())) send({ ...state, qos: 1, retain: true });

  return {
    ports: listeners.ports,
    closeSession: (assetId) => seats.closeAsset(assetId),
    publish(topic, payload) {
      counters.events_published += 1;
      // To a clean session aedes writes a QoS 1 message once and keeps nothing of it: what waits for a
      // subscriber is in its socket, and that is bounded. Nothing is sent again; a reader that was cut
      // asks the API for what it missed.
      send({ topic, payload, qos: 1, retain: false });
    },
    command(topic, payload) {
      counters.commands_published += 1;
      send({ topic, payload: Buffer.from(payload), qos: 0, retain: false });
    },
    stats: () => ({ ...counters, ...seats.gauges() }),
    async close() {
      listeners.close();
      seats.close();
      await new Promise<void>((resolve) => aedes.close(resolve));
    },
  };
}
