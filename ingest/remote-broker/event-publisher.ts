import mqtt from "mqtt-packet";
import type { Logger } from "pino";
import { BrokerConnection } from "../mqtt-client/connection.ts";
import { PublishWindow } from "../mqtt-client/publish-window.ts";
import { type BrokerAddress, openSocket } from "./address.ts";
import type { RemoteCounters } from "./counters.ts";

/** Events without PUBACK, and events that wait for one of these or for the broker; more are dropped. Chosen. */
const MAX_IN_FLIGHT = 1_000;
const MAX_WAITING = 10_000;

/**
 * Publishes events to the external broker, QoS 1, and commands to devices. Live only, as with the embedded
 * broker: what cannot be had there is read from `/events?after=`, so a broker that is away for long loses
 * the oldest.
 */
export class EventPublisher {
  readonly #connection: BrokerConnection;
  readonly #counters: RemoteCounters;
  /** After a break some are published twice; readers know an event by its id. */
  readonly #window = new PublishWindow(MAX_IN_FLIGHT);

  constructor(options: {
    readonly address: BrokerAddress;
    readonly nodeId: string;
    readonly counters: RemoteCounters;
    readonly log: Pick<Logger, "warn">;
  }) {
    const { address, nodeId, counters, log } = options;
    this.#counters = counters;
    this.#connection = new BrokerConnection({
      open: (ready) => openSocket(address, ready),
      login: address,
      clientId: `plumbline-events-${nodeId}`,
      clean: true,
      mayConnect: () => true,
      log,
      user: {
        opened: () => this.#send(),
        message: () => undefined,
        packet: (packet) => {
          if (packet.cmd !== "puback") return;
          this.#window.acknowledged(packet.messageId);
          this.#send();
        },
        lost: () => this.#window.lost(),
      },
    });
  }

  start(): void {
    this.#connection.start();
  }

  /** Never waits. */
  publish(topic: string, payload: string): void {
    this.#window.add({ topic, payload });
    if (this.#window.waitingCount > MAX_WAITING) {
      this.#window.dropOldest();
      this.#counters.remote_events_dropped += 1;
    }
    this.#send();
  }

  /** A command to a device, QoS 0; lost while the broker is away. */
  command(topic: string, payload: Uint8Array): void {
    const packet = { cmd: "publish", topic, qos: 0, dup: false, retain: false } as const;
    this.#connection.write(mqtt.generate({ ...packet, payload: Buffer.from(payload) }));
  }

  close(): void {
    this.#connection.close();
  }

  #send(): void {
    const due = this.#connection.isOpen ? this.#window.takeDue() : undefined;
    if (due !== undefined) this.#connection.write(due);
  }
}
