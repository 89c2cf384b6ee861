import mqtt from "mqtt-packet";
import type { Logger } from "pino";
import type { EventRecords } from "../../storage/ports/events/events.ts";
import { type EventCourier, startEventCourier } from "../delivery/event-courier.ts";
import type { EventFeed } from "../delivery/event-feed.ts";
import { createEventFilter } from "../delivery/event-filter.ts";
import { BrokerConnection } from "../mqtt-client/connection.ts";
import { type BrokerAddress, openSocket } from "./address.ts";

/** Events without PUBACK at most: enough for 5,000 events/s at a round trip of 200 ms. */
const MAX_IN_FLIGHT = 1_000;

/** What the publication of events goes on from. */
export interface PublicationOptions {
  /** The place that is stored. */
  readonly from: number;
  readonly feed: EventFeed;
  readonly events: Pick<EventRecords, "after">;
  readonly onAcknowledged: () => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Publishes events to the external broker at QoS 1, and commands to devices at QoS 0. Events are read
 * from the outbox behind a durable place, so neither a restart nor a broker that is away loses one.
 * After a break some are published twice, and readers know an event by id and revision.
 */
export class EventPublisher {
  readonly #connection: BrokerConnection;
  #courier: EventCourier | undefined;

  constructor(options: {
    readonly address: BrokerAddress;
    /** Which process this is: others have connections of their own. */
    readonly name: string;
    readonly log: Pick<Logger, "warn">;
  }) {
    const { address, name, log } = options;
    this.#connection = new BrokerConnection({
      open: (ready) => openSocket(address, ready),
      login: address,
      clientId: `plumbline-events-${name}`,
      clean: true,
      mayConnect: () => true,
      log,
      user: {
        opened: () => this.#courier?.wake(),
        message: () => undefined,
        packet: (packet) => {
          if (packet.cmd === "puback") this.#courier?.acknowledged(packet.messageId ?? 0);
        },
        lost: () => this.#courier?.lost(),
      },
    });
  }

  /** Connects, now and whenever the connection was lost. */
  start(): void {
    this.#connection.start();
  }

  /** Begins to publish events; ends with `end`. */
  begin({ from, feed, events, onAcknowledged, onError }: PublicationOptions): EventCourier {
    const everything = createEventFilter({ types: [], projectIds: undefined });
    this.#courier = startEventCourier({
      from,
      feed,
      events,
      filter: () => everything,
      qosOf: () => 1,
      canWrite: () => this.#connection.isOpen,
      write: (packets) => this.#connection.write(packets),
      window: MAX_IN_FLIGHT,
      onAcknowledged,
      onError,
    });
    this.#courier.wake();
    return this.#courier;
  }

  /** Ends the publication; another process goes on from the place that is stored. */
  end(): void {
    const ended = this.#courier;
    if (ended === undefined) return;
    ended.stop();
    this.#courier = undefined;
    // Its PUBACKs must not be taken for those of a later publication on the same connection.
    if (this.#connection.isOpen) this.#connection.drop("another process publishes events now");
  }

  /** A command to a device, QoS 0; lost while the broker is away. */
  command(topic: string, payload: Uint8Array): void {
    const packet = { cmd: "publish", topic, qos: 0, dup: false, retain: false } as const;
    this.#connection.write(mqtt.generate({ ...packet, payload: Buffer.from(payload) }));
  }

  close(): void {
    this.#courier?.stop();
    this.#connection.close();
  }
}
