import { eventFilterProject, eventTopic, matchesFilter } from "../../domain/equipment/topics.ts";
import type { StoredEvent } from "../../domain/events/events.ts";
import type { ProjectId } from "../../domain/ids.ts";
import type {
  EventReader,
  EventReaderRecords,
  EventSubscription,
} from "../../storage/ports/events/event-readers.ts";
import type { EventRecords } from "../../storage/ports/events/events.ts";
import { type EventCourier, startEventCourier } from "../delivery/event-courier.ts";
import type { EventFeed } from "../delivery/event-feed.ts";
import type { EventFilter } from "../delivery/event-filter.ts";
import type { PlacedReader, ReaderPlaces } from "../delivery/reader-places.ts";
import type { AssetDirectory } from "../directories/asset-directory.ts";
import type { Principal } from "./login.ts";
import { mayReceive } from "./subscriptions.ts";

/** Events without PUBACK at most: enough for 500 events/s at a round trip of 200 ms. */
const MAX_IN_FLIGHT = 100;
/** Bytes that may wait for the reader before no more are written; some 300 events. */
const MAX_BACKLOG_BYTES = 256 * 1024;

/** The connection that has the session now. */
export interface ReaderConnection {
  readonly principal: Principal | undefined;
  readonly destroyed: boolean;
  /** Bytes that the reader has not taken yet. */
  readonly backlogBytes: number;
  write(packets: Buffer): boolean;
  on(event: "drain", listener: () => void): unknown;
  off(event: "drain", listener: () => void): unknown;
}

export interface KeptSessionParts {
  readonly records: EventReaderRecords;
  readonly events: Pick<EventRecords, "after">;
  readonly feed: EventFeed;
  readonly directory: Pick<AssetDirectory, "find">;
  readonly places: ReaderPlaces;
  readonly onError: (error: unknown) => void;
}

/**
 * A reader's session that outlives its connection (clean session 0): its subscriptions and its place in
 * the outbox are in the record store. While the reader is connected, events behind that place go out at
 * the subscription's quality of service, and PUBACKs move the place. Nothing is queued for a reader that
 * is away: the outbox has it. After a break some events come twice, under new packet ids.
 */
export class KeptSession implements PlacedReader {
  readonly id: string;
  readonly #parts: KeptSessionParts;
  readonly #connection: ReaderConnection;
  #subscriptions: readonly EventSubscription[];
  #filter: EventFilter;
  readonly #from: number;
  #courier: EventCourier | undefined;
  #ended: Promise<void> | undefined;
  #changing: Promise<void> = Promise.resolve();

  constructor(
    id: string,
    { sequence, subscriptions }: EventReader,
    connection: ReaderConnection,
    parts: KeptSessionParts,
  ) {
    this.id = id;
    this.#parts = parts;
    this.#connection = connection;
    this.#from = sequence;
    this.#subscriptions = subscriptions;
    this.#filter = this.#makeFilter();
  }

  get subscriptions(): readonly EventSubscription[] {
    return this.#subscriptions;
  }

  get place(): number {
    return this.#courier?.place ?? this.#from;
  }

  /** The reader has its CONNACK: sends on from the stored place. */
  begin(): void {
    if (this.#ended !== undefined) return;
    const { events, feed, places, onError } = this.#parts;
    const connection = this.#connection;
    const courier = startEventCourier({
      from: this.#from,
      feed,
      events,
      filter: () => this.#filter,
      qosOf: (event) => this.#qosOf(event) ?? 0,
      canWrite: () => !connection.destroyed && connection.backlogBytes < MAX_BACKLOG_BYTES,
      write: (packets) => connection.write(packets),
      window: MAX_IN_FLIGHT,
      onAcknowledged: () => places.touch(this),
      onError,
    });
    this.#courier = courier;
    places.add(this);
    connection.on("drain", courier.wake);
    courier.wake();
  }

  acknowledged(packetId: number): void {
    this.#courier?.acknowledged(packetId);
  }

  /** Stores a subscription before its SUBACK. It begins with the next event, unless it is there already. */
  async subscribe(filter: string, qos: EventSubscription["qos"]): Promise<void> {
    await this.#change((before) => {
      const known = before.find((one) => one.filter === filter);
      if (known?.qos === qos) return before;
      // Whatever is recorded after the SUBACK has a higher sequence than all that was read.
      const readTo = this.#courier?.readTo ?? this.#from;
      const from = known?.from ?? Math.max(readTo, this.#parts.feed.lastSequence);
      return [...before.filter((one) => one !== known), { filter, qos, from }];
    });
  }

  /** Removes subscriptions before their UNSUBACK. */
  async unsubscribe(filters: readonly string[]): Promise<void> {
    await this.#change((before) => {
      const left = before.filter(({ filter }) => !filters.includes(filter));
      return left.length < before.length ? left : before;
    });
  }

  /** Sends nothing more and stores the place; the connection may be gone already. */
  end(): Promise<void> {
    this.#ended ??= this.#end();
    return this.#ended;
  }

  async #end(): Promise<void> {
    const courier = this.#courier;
    if (courier === undefined) return;
    this.#connection.off("drain", courier.wake);
    courier.stop();
    await this.#parts.places.leave(this);
  }

  /** One change after the other: a SUBSCRIBE with several filters asks for several at once. */
  #change(
    by: (before: readonly EventSubscription[]) => readonly EventSubscription[],
  ): Promise<void> {
    const change = this.#changing.then(async () => {
      const after = by(this.#subscriptions);
      if (after === this.#subscriptions) return;
      await this.#parts.records.subscribe(this.id, after);
      this.#subscriptions = after;
      this.#filter = this.#makeFilter();
      this.#courier?.wake();
    });
    this.#changing = change.catch(() => undefined);
    return change;
  }

  #makeFilter(): EventFilter {
    const projects = this.#subscriptions.flatMap(({ filter }) => eventFilterProject(filter) ?? []);
    return {
      wants: (event) => this.#qosOf(event) !== undefined,
      query: { projectIds: [...new Set(projects)] as ProjectId[] },
    };
  }

  /** The highest quality of service of the subscriptions that match; `undefined`: none may have it. */
  #qosOf(event: StoredEvent): 0 | 1 | undefined {
    if (event.projectId === undefined) return undefined;
    const topic = eventTopic(event.projectId, event.type);
    const matching = this.#subscriptions.filter(
      ({ filter, from }) => event.sequence > from && matchesFilter(filter, topic),
    );
    if (matching.length === 0 || !this.#mayReceive(topic)) return undefined;
    return matching.some(({ qos }) => qos > 0) ? 1 : 0;
  }

  /** Keys may lose a project at any time. */
  #mayReceive(topic: string): boolean {
    const { principal } = this.#connection;
    return principal !== undefined && mayReceive(principal, topic, this.#parts.directory);
  }
}
