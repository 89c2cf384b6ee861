import type { Duplex } from "node:stream";
import type { PublishPacket } from "aedes";
import { HourlyNames } from "../credentials/hourly-names.ts";
import { hostStates } from "../sparkplug/host-state.ts";
import type { Arrival } from "./arrival.ts";
import { Clients, type ClientsOptions } from "./clients.ts";
import { MqttConnection } from "./connection.ts";
import type { ConnectionReport } from "./connection-outcome.ts";
import type { ConnectionOwner } from "./connection-owner.ts";
import type { DeviceAedes } from "./device-aedes.ts";
import { printable } from "./frames/printable.ts";
import {
  type BrokerPorts,
  type ListenerGuards,
  type ListenerSettings,
  type Listeners,
  openListeners,
} from "./listeners.ts";

export interface BrokerOptions extends ClientsOptions, ListenerGuards {
  readonly settings: ListenerSettings;
  /** Receives the function that sends commands, before the first device can connect. */
  readonly onCommands?: (command: Broker["command"]) => void;
  /** Called for every log-in, refusal and end of a connection; must not throw and must not take long. */
  readonly onConnection?: (report: ConnectionReport) => void;
  /** Server clock, ms since the Unix epoch. */
  readonly now?: () => number;
}

/**
 * The MQTT broker that devices and readers connect to: MQTT 3.1.1 on TCP, and on WebSocket and TLS where the
 * settings ask for it. Every session of a device is a clean one: nothing of it outlives the connection, and
 * intake knows resent messages. A reader's session is kept where it asks for that, in the record store.
 */
export class Broker {
  readonly #options: BrokerOptions;
  readonly #now: () => number;
  readonly #clients: Clients;
  readonly #counters: Clients["counters"];
  readonly #aedes: DeviceAedes;
  readonly #owner: ConnectionOwner<MqttConnection>;
  readonly #refusedVersions = new HourlyNames();
  #listeners: Listeners = { ports: {}, close: () => undefined };

  /** @throws DomainError `SETTINGS_INVALID` naming the port that cannot be used. */
  static async open(options: BrokerOptions): Promise<Broker> {
    const { now = Date.now } = options;
    const clients = new Clients(options, now);
    const broker = new Broker(options, clients, await clients.open(), now);
    options.onCommands?.((topic, payload) => broker.command(topic, payload));
    await broker.#listen();
    // Edge nodes that wait for a host hear at once that there is one.
    for (const state of hostStates(now())) broker.#send({ ...state, qos: 1, retain: true });
    return broker;
  }

  private constructor(
    options: BrokerOptions,
    clients: Clients,
    aedes: DeviceAedes,
    now: () => number,
  ) {
    this.#options = options;
    this.#now = now;
    this.#clients = clients;
    this.#counters = clients.counters;
    this.#aedes = aedes;
    this.#owner = this.#ownerOfConnections();
  }

  get ports(): BrokerPorts {
    return this.#listeners.ports;
  }

  /**
   * Publishes to the readers with a clean session that are connected now, at QoS 1 to those that
   * subscribed with 1 or 2; never waits for any of them.
   */
  publish(topic: string, payload: string): void {
    this.#counters.events_published += 1;
    // To a clean session aedes writes a QoS 1 message once and keeps nothing of it: what waits for a
    // subscriber is in its socket, and that is bounded. Nothing is sent again; a reader that must miss
    // nothing has a kept session, or asks the API.
    this.#send({ topic, payload, qos: 1, retain: false });
  }

  /** Publishes to the devices that are connected now, at QoS 0. */
  command(topic: string, payload: Uint8Array): void {
    this.#counters.commands_published += 1;
    this.#send({ topic, payload: Buffer.from(payload), qos: 0, retain: false });
  }

  /** Counters since the start, and the gauges `sessions` and `readers`. */
  stats(): Readonly<Record<string, number>> {
    return { ...this.#counters, ...this.#clients.liveSessions.gauges() };
  }

  /** Stops listening and closes all connections; their wills are offered to intake first. */
  async close(): Promise<void> {
    this.#listeners.close();
    this.#clients.liveSessions.close();
    await new Promise<void>((resolve) => this.#aedes.close(resolve));
  }

  async #listen(): Promise<void> {
    const { settings } = this.#options;
    const accept = (transport: Duplex, arrival: Arrival) => this.#accept(transport, arrival);
    this.#listeners = await openListeners(settings, this.#options, accept).catch(
      async (error: unknown) => {
        await new Promise<void>((resolve) => this.#aedes.close(resolve));
        throw error;
      },
    );
  }

  #accept(transport: Duplex, arrival: Arrival): void {
    this.#counters.connections += 1;
    const connection = new MqttConnection(transport, arrival, this.#owner);
    if (arrival.certificate !== undefined) {
      arrival.certificate.onRevoked = () => {
        this.#counters.credential_closed += 1;
        connection.finish("certificate_revoked");
      };
    }
    this.#aedes.handle(connection);
  }

  #send(packet: Pick<PublishPacket, "topic" | "payload" | "qos" | "retain">): void {
    this.#aedes.publish({ cmd: "publish", dup: false, ...packet }, (error) => {
      if (error !== undefined && error !== null) {
        this.#options.log.warn({ err: error, topic: packet.topic }, "message not published");
      }
    });
  }

  #ownerOfConnections(): ConnectionOwner<MqttConnection> {
    const { intake, log, onConnection } = this.#options;
    return {
      now: this.#now,
      offer: (session, inbound) => this.#clients.offer(session, inbound),
      onAcknowledged: () => {
        this.#counters.acknowledged += 1;
      },
      repeat: (session, inbound) => {
        this.#counters.qos2_repeated += 1;
        intake.repeat(session, inbound);
      },
      onVersionRefused: (connection) => this.#onVersionRefused(connection),
      onViolation: (_connection, problem) => {
        this.#counters[problem] += 1;
      },
      onIntakeClosed: (connection, reason) => {
        const { assetId } = connection.session ?? {};
        log.warn({ assetId, reason }, "device session closed by intake");
      },
      onOutcome: (report) => onConnection?.(report),
    };
  }

  #onVersionRefused({ connect, arrival: { address } }: MqttConnection): void {
    this.#counters.version_refused += 1;
    const { clientId = "", username = "", protocolLevel } = connect ?? {};
    if (!this.#refusedVersions.isNew(`${address} ${username} ${clientId}`, this.#now())) return;
    const client = { clientId: printable(clientId), username: printable(username), address };
    const remedy = "set the client to MQTT 3.1.1 (protocol level 4)";
    this.#options.log.warn(
      { ...client, protocolLevel, remedy },
      "client refused for its MQTT version",
    );
  }
}
