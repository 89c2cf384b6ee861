import mqtt from "mqtt-packet";
import { eventTopic } from "../../domain/equipment/topics.ts";
import type { StoredEvent } from "../../domain/events/events.ts";
import type { EventRecords } from "../../storage/ports/events/events.ts";
import { type Publication, PublishWindow } from "../mqtt-client/publish-window.ts";
import type { EventFeed } from "./event-feed.ts";
import type { EventFilter } from "./event-filter.ts";
import { eventText } from "./event-view.ts";
import { createOutboxFollower } from "./outbox-follower.ts";

/**
 * Events read ahead of the receiver. More costs memory per receiver (1,000 events are some 700 kB), fewer
 * leave a fast receiver waiting for the store.
 */
const MAX_WAITING = 1_000;

interface SequencedPublication extends Publication {
  readonly sequence: number;
}

/**
 * Brings one MQTT receiver the events behind its durable place, in order, at QoS 1 with a bounded number
 * without PUBACK. The outbox is the queue: what does not fit is read later. Delivery is at least once,
 * because the place moves when the receiver has acknowledged.
 */
export interface EventCourier {
  /** Every event up to here is acknowledged or not wanted. */
  readonly place: number;
  /** Every event up to here is sent, waits to be sent, or is not wanted. */
  readonly readTo: number;
  /** Sends on: there are new events, the connection has room, or the subscriptions changed. */
  wake(): void;
  /** Takes a PUBACK; `false`: it belongs to no event in flight. */
  acknowledged(packetId: number): boolean;
  /** The connection is gone and another one follows; what has no PUBACK goes out again on it. */
  lost(): void;
  stop(): void;
}

export interface EventCourierOptions {
  /** The place that is stored. */
  readonly from: number;
  readonly feed: Pick<EventFeed, "lastSequence" | "recent" | "subscribe">;
  readonly events: Pick<EventRecords, "after">;
  /** What the receiver wants now; another object as soon as that changes. */
  readonly filter: () => EventFilter;
  /** Quality of service for an event that the filter wants. */
  readonly qosOf: (event: StoredEvent) => 0 | 1;
  /** Whether the connection takes more bytes. */
  readonly canWrite: () => boolean;
  readonly write: (packets: Buffer) => void;
  /** Messages without PUBACK at most. */
  readonly window: number;
  readonly onAcknowledged: () => void;
  readonly onError: (error: unknown) => void;
}

export function startEventCourier(options: EventCourierOptions): EventCourier {
  const { feed, canWrite, write } = options;
  const window = new PublishWindow<SequencedPublication>(options.window);
  /** Events at QoS 1 that have no PUBACK, ascending: the place stays before the first. */
  const open = new Set<number>();

  function take(events: readonly StoredEvent[]): void {
    for (const event of events) {
      if (event.projectId === undefined) continue;
      const topic = eventTopic(event.projectId, event.type);
      const payload = eventText(event);
      if (options.qosOf(event) === 0) {
        write(mqtt.generate({ cmd: "publish", topic, payload, qos: 0, dup: false, retain: false }));
      } else {
        open.add(event.sequence);
        window.add({ topic, payload, sequence: event.sequence });
      }
    }
    pump();
  }

  const follower = createOutboxFollower({
    from: options.from,
    feed,
    events: options.events,
    filter: options.filter,
    hasRoom: (count) => canWrite() && window.waitingCount + count <= MAX_WAITING,
    take,
    onError: options.onError,
  });

  function pump(): void {
    const due = canWrite() ? window.takeDue() : undefined;
    if (due !== undefined) write(due);
  }

  function wake(): void {
    pump();
    follower.wake();
  }

  const unsubscribe = feed.subscribe(wake);

  return {
    get place() {
      const first = open.values().next();
      return first.done === true ? follower.readTo : first.value - 1;
    },
    get readTo() {
      return follower.readTo;
    },
    wake,
    acknowledged(packetId) {
      const message = window.acknowledged(packetId);
      if (message === undefined) return false;
      open.delete(message.sequence);
      options.onAcknowledged();
      wake();
      return true;
    },
    lost: () => window.lost(),
    stop() {
      unsubscribe();
      follower.stop();
    },
  };
}
