import type {
  AedesOptions,
  AedesPublishPacket,
  AuthenticateError,
  Client,
  ConnectPacket,
  PublishPacket,
  Subscription,
} from "aedes";
import type { Logger } from "pino";
import type { SessionOwner } from "../client-sessions/claimed-session.ts";
import type { ClientSessionClaims } from "../client-sessions/client-session-claims.ts";
import { ConnectionCommands, type MqttCommandsParts } from "../commands/mqtt-commands.ts";
import { HourlyNames } from "../credentials/hourly-names.ts";
import type { AssetDirectory } from "../directories/asset-directory.ts";
import { InboundMessage } from "../intake/inbound-message.ts";
import type { Intake } from "../intake/intake.ts";
import { createCounters } from "../intake/readings/counters.ts";
import type { IntakeSession } from "../intake/session.ts";
import { outcomeOf } from "./client-error.ts";
import type { MqttConnection } from "./connection.ts";
import { RETURN_CODE } from "./connection-outcome.ts";
import { BROKER_COUNTERS, type BrokerCounters } from "./counters.ts";
import { type DeviceAedes, openDeviceAedes } from "./device-aedes.ts";
import { printable } from "./frames/printable.ts";
import { type KeptSessions, MAX_KEPT_CLIENT_ID } from "./kept-sessions.ts";
import { type LinkFollower, LiveSessions } from "./live-sessions.ts";
import {
  Login,
  type LoginResult,
  type Principal,
  READER,
  type ReaderAccess,
  sessionId,
} from "./login.ts";
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

export interface ClientsOptions {
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
  /** Which process has which session. Absent: this is the only one. */
  readonly sessionClaims?: Pick<ClientSessionClaims, "claim">;
  /** Brings devices the commands that people send them. Absent: there are none. */
  readonly commands?: MqttCommandsParts;
  readonly log: Logger;
}

/** The function that answers one of aedes' questions. */
type Done<Hook extends "preConnect" | "authorizePublish" | "authorizeSubscribe"> = Parameters<
  NonNullable<AedesOptions[Hook]>
>[2];

/** The clients of the broker: who is let in, and what each may publish, subscribe to and receive. */
export class Clients {
  readonly counters: BrokerCounters = createCounters(BROKER_COUNTERS);
  readonly liveSessions: LiveSessions;
  readonly #options: ClientsOptions;
  readonly #now: () => number;
  readonly #login: Login;
  readonly #banned = new HourlyNames();

  /** `now`: server clock, ms since the Unix epoch. */
  constructor(options: ClientsOptions, now: () => number) {
    const { counters } = this;
    this.#options = options;
    this.#now = now;
    this.#login = new Login({
      ...options,
      isTaken: (id) => this.liveSessions.isTaken(id),
      counters,
      now,
      onBarred: (what) => options.log.warn(what, "too many failed log-ins"),
    });
    this.liveSessions = new LiveSessions({ ...options, counters, now });
  }

  /** Opens aedes, which asks these rules about every client. */
  async open(): Promise<DeviceAedes> {
    const { keptSessions } = this.#options;
    const aedes = await openDeviceAedes(this.#hooks(), {
      of: (clientId) => keptSessions?.subscriptionsOf(clientId) ?? [],
      remove: async (client, filters) => {
        await connectionOf(client).kept?.unsubscribe(filters);
      },
    });
    aedes.on("clientReady", (client: Client) => {
      const connection = connectionOf(client);
      this.liveSessions.take(connection, client.id);
      connection.kept?.begin();
    });
    aedes.on("subscribe", (subscriptions, client: Client) => {
      this.#onSubscribe(connectionOf(client), subscriptions);
    });
    aedes.on("unsubscribe", (filters, client: Client) => {
      for (const filter of filters) connectionOf(client).commands?.unsubscribed(filter);
    });
    const onClientError = (_client: Client, error: Error): void => {
      const outcome = outcomeOf(error);
      if (outcome !== undefined) this.counters[outcome] += 1;
    };
    aedes.on("clientError", onClientError);
    aedes.on("connectionError", onClientError);
    return aedes;
  }

  /** A message that breaks intake must cost its own connection only, not the process. */
  offer(session: IntakeSession, inbound: InboundMessage): void {
    const { intake, log } = this.#options;
    try {
      intake.offer(session, inbound);
    } catch (error) {
      this.counters.failed += 1;
      log.error({ err: error, assetId: session.assetId }, "message failed in intake");
      session.fail("failed");
    }
  }

  #hooks(): AedesOptions {
    return {
      preConnect: (client, packet, done) => this.#preConnect(connectionOf(client), packet, done),
      authenticate: (client, _username, password, done) =>
        this.#authenticate(connectionOf(client), password, done),
      authorizePublish: (client, packet, done) =>
        this.#authorizePublish(client ?? undefined, packet, done),
      authorizeSubscribe: (client, subscription, done) =>
        this.#authorizeSubscribe(connectionOf(client), subscription, done),
      authorizeForward: (client, packet) => this.#authorizeForward(connectionOf(client), packet),
    };
  }

  #preConnect(connection: MqttConnection, packet: ConnectPacket, done: Done<"preConnect">): void {
    const { clientId, password } = packet;
    connection.sessionId = sessionId({ username: connection.username, password, clientId });
    packet.clientId = connection.sessionId;
    packet.clean = !this.#keepsSession(connection);
    // Watched by LiveSessions: aedes does not see the packets that prove a device alive.
    packet.keepalive = 0;
    done(null, true);
  }

  #authenticate(
    connection: MqttConnection,
    password: Buffer | undefined,
    done: (error: AuthenticateError | null, success: boolean) => void,
  ): void {
    const { connect, sessionId, arrival, username } = connection;
    if (connect === undefined) {
      done(null, false);
      return;
    }
    const { clientId, cleanSession } = connect;
    const isTooLong = this.#keepsSession(connection) && clientId.length > MAX_KEPT_CLIENT_ID;
    const result = this.#login.check({
      address: arrival.address,
      sessionId,
      lacksId: !cleanSession && (clientId === "" || isTooLong),
      username,
      password: password?.toString(),
      certificateNames: arrival.certificate?.names,
    });
    this.#withSession(connection, result).then(
      (outcome) => {
        if ("principal" in outcome) {
          connection.principal = outcome.principal;
          this.liveSessions.expectTakeover(sessionId);
          done(null, true);
        } else {
          connection.outcome = outcome.refusal;
          const error = new Error("log-in refused") as AuthenticateError;
          error.returnCode = RETURN_CODE[outcome.refusal];
          done(error, false);
        }
      },
      (error: unknown) => {
        this.#options.log.error({ err: error }, "log-in check failed");
        done(null, false);
      },
    );
  }

  /** Whether the client is a reader that asked for a kept session. */
  #keepsSession({ connect }: MqttConnection): boolean {
    const { keptSessions } = this.#options;
    return keptSessions !== undefined && connect?.username === READER && !connect.cleanSession;
  }

  /** A log-in is complete when its session is this process's, and a reader has the one that it asked for. */
  async #withSession(
    connection: MqttConnection,
    login: LoginResult | Promise<LoginResult>,
  ): Promise<LoginResult> {
    const outcome = await login;
    if (!("principal" in outcome)) return outcome;
    if (!(await this.#claim(connection, outcome.principal))) return { refusal: "takeover_banned" };
    if (outcome.principal.kind !== "reader") return outcome;
    const { keyId } = outcome.principal.access;
    const refusal = await this.#options.keptSessions?.admit(connection, keyId);
    return refusal === undefined ? outcome : { refusal };
  }

  /** Takes the session from other processes; `false`: it is banned. */
  async #claim(connection: MqttConnection, principal: Principal): Promise<boolean> {
    const owner = ownerOf(connection, principal);
    const { sessionClaims, log } = this.#options;
    if (owner === undefined || sessionClaims === undefined) return true;
    const claimed = sessionClaims.claim(owner, (why) => connection.finish(why));
    connection.claimed = claimed;
    // With the process its sessions stay on record, so that another one reports which of them did not come back.
    const leave = () => {
      if (connection.outcome !== "shutdown") void claimed.release();
    };
    if (connection.destroyed) leave();
    else connection.once("close", leave);
    if ((await claimed.decided) === "held") return true;
    this.counters.takeover_banned += 1;
    if (this.#banned.isNew(owner.name, this.#now())) {
      log.warn({ clientId: printable(owner.name) }, "a client id is taken over too often");
    }
    return false;
  }

  /** Wills; everything else that a client publishes goes from the connection straight to intake. */
  #authorizePublish(
    client: Client | undefined,
    packet: PublishPacket,
    done: Done<"authorizePublish">,
  ): void {
    const connection = client && connectionOf(client);
    const session = connection && this.liveSessions.willSession(connection);
    if (connection === undefined || session === undefined) {
      this.counters.reader_publish += 1;
      done(new Error("only devices publish"));
      return;
    }
    const { claimed, outcome } = connection;
    if (claimed === undefined || outcome === "shutdown") {
      this.#offerWill(session, packet, done);
      return;
    }
    void claimed.release().then((isElsewhere) => {
      if (!isElsewhere) {
        this.#offerWill(session, packet, done);
        return;
      }
      // The client is there: it has connected to another process.
      this.counters.wills_superseded += 1;
      done(null);
    });
  }

  #offerWill(session: IntakeSession, packet: PublishPacket, done: Done<"authorizePublish">): void {
    this.counters.wills += 1;
    const message = {
      topic: packet.topic,
      payload: Buffer.isBuffer(packet.payload) ? packet.payload : Buffer.from(packet.payload),
      qos: packet.qos,
      dup: packet.dup === true,
      packetId: packet.messageId ?? 0,
    };
    const reply = (error?: Error): void => {
      if (error === undefined) this.counters.acknowledged += 1;
      done(error ?? null);
    };
    this.offer(session, new InboundMessage(message, this.#now(), reply));
  }

  #authorizeSubscribe(
    connection: MqttConnection,
    subscription: Subscription,
    done: Done<"authorizeSubscribe">,
  ): void {
    const { principal } = connection;
    connection.filters += 1;
    const granted =
      principal !== undefined &&
      connection.filters <= MAX_FILTERS &&
      maySubscribe(principal, subscription.topic, this.#options.directory);
    if (!granted) this.counters.subscribe_denied += 1;
    // null: SUBACK 128, and the connection stays [MQTT-3.9.3].
    if (!granted || connection.kept === undefined) {
      done(null, granted ? subscription : null);
      return;
    }
    connection.kept.subscribe(subscription.topic, subscription.qos).then(
      () => done(null, subscription),
      (error: unknown) => {
        this.#options.log.warn({ err: error }, "subscription of a kept session is not stored");
        done(null, null);
      },
    );
  }

  #authorizeForward(
    connection: MqttConnection,
    packet: AedesPublishPacket,
  ): AedesPublishPacket | null {
    const { principal } = connection;
    if (connection.destroyed || principal === undefined) return null;
    // It reads the outbox itself.
    if (connection.kept !== undefined) return null;
    if (!mayReceive(principal, packet.topic, this.#options.directory)) return null;
    if (connection.backlogBytes <= MAX_BACKLOG_BYTES) return packet;
    this.counters.slow_subscriber += 1;
    connection.finish("slow_subscriber");
    return null;
  }

  #onSubscribe(connection: MqttConnection, subscriptions: readonly Subscription[]): void {
    const { commands } = this.#options;
    if (commands === undefined || connection.principal?.kind !== "device") return;
    const { assetId } = connection.principal;
    for (const { topic, qos } of subscriptions) {
      // 128: it was refused.
      if (qos > 2) continue;
      connection.commands ??= new ConnectionCommands(connection, assetId, commands);
      connection.commands.subscribed(topic, qos);
    }
  }
}

/** `undefined`: a client id that only this connection has. */
function ownerOf({ connect, sessionId }: MqttConnection, who: Principal): SessionOwner | undefined {
  if (who.kind === "device") return { name: sessionId, assetId: who.assetId, isLink: true };
  const { clientId = "" } = connect ?? {};
  if (clientId === "") return undefined;
  // Session ids of readers are of their process.
  const name = `${READER}/${who.access.keyId}/${clientId}`;
  return { name, assetId: undefined, isLink: false };
}

const connectionOf = (client: Client): MqttConnection => client.conn as MqttConnection;
