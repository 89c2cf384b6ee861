import mqtt from "mqtt-packet";
import type { Logger } from "pino";
import type { BrokerAddress } from "./address.ts";
import { BrokerConnection } from "./connection.ts";
import type { RemoteCounters } from "./counters.ts";

/** Events without PUBACK, and events that wait for one of these or for the broker; more are dropped. Chosen. */
const MAX_IN_FLIGHT = 1_000;
const MAX_WAITING = 10_000;

interface Outgoing {
  readonly topic: string;
  readonly payload: string;
}

/**
 * Publishes events to the external broker, QoS 1, and commands to devices. Live only, as with the embedded broker: what cannot
 * be had there is read from `/events?after=`, so a broker that is away for long loses the oldest.
 */
export class EventPublisher {
  readonly #connection: BrokerConnection;
  readonly #counters: RemoteCounters;
  readonly #waiting: Outgoing[] = [];
  readonly #inFlight = new Map<number, Outgoing>();
  #packetId = 0;

  constructor(options: {
    readonly address: BrokerAddress;
    readonly nodeId: string;
    readonly counters: RemoteCounters;
    readonly log: Pick<Logger, "info" | "warn">;
  }) {
    this.#counters = options.counters;
    this.#connection = new BrokerConnection({
      address: options.address,
      clientId: `plumbline-events-${options.nodeId}`,
      clean: true,
      mayConnect: () => true,
      log: options.log,
      user: {
        opened: () => this.#send(),
        message: () => undefined,
        packet: (packet) => {
          if (packet.cmd !== "puback") return;
          this.#inFlight.delete(packet.messageId ?? 0);
          this.#send();
        },
        lost: () => {
          // Their order among themselves stays; readers know an event by its id.
          this.#waiting.unshift(...this.#inFlight.values());
          this.#inFlight.clear();
        },
      },
    });
  }

  start(): void {
    this.#connection.start();
  }

  /** Never waits. */
  publish(topic: string, payload: string): void {
    this.#waiting.push({ topic, payload });
    if (this.#waiting.length > MAX_WAITING) {
      this.#waiting.shift();
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
    while (this.#connection.isOpen && this.#inFlight.size < MAX_IN_FLIGHT) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      const messageId = this.#nextId();
      this.#inFlight.set(messageId, next);
      const { topic, payload } = next;
      this.#connection.write(
        mqtt.generate({
          cmd: "publish",
          topic,
          payload,
          qos: 1,
          messageId,
          dup: false,
          retain: false,
        }),
      );
    }
  }

  #nextId(): number {
    do this.#packetId = (this.#packetId % 65_535) + 1;
    while (this.#inFlight.has(this.#packetId));
    return this.#packetId;
  }
}
