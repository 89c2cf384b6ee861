import mqtt, { type Packet } from "mqtt-packet";
import type { Logger } from "pino";

/** Filters of one SUBSCRIBE; about 10 kB. More make packets that a broker may refuse; fewer need more round trips. */
const PER_PACKET = 100;
/** SUBACK code of a filter that is refused (MQTT 3.1.1, section 3.9.3). */
const REFUSED = 0x80;
/**
 * How long a SUBACK may take, and when refused filters are asked for again, ms. Longer misses messages for longer;
 * shorter takes a slow broker for a dead one.
 */
const ANSWER_MS = 10_000;
const AGAIN_MS = 10_000;

export interface SubscriptionsOptions {
  readonly clientId: string;
  readonly send: (packet: Buffer) => void;
  /** The broker does not answer. */
  readonly unanswered: () => void;
  readonly log: Pick<Logger, "warn">;
}

/** The QoS 1 subscriptions of one session, kept as they are wanted. */
export class Subscriptions {
  readonly #options: SubscriptionsOptions;
  #wanted: ReadonlySet<string> = new Set();
  #granted = new Set<string>();
  readonly #refused = new Set<string>();
  /** Filters asked for, by packet id. */
  readonly #asked = new Map<number, readonly string[]>();
  #timers = new Map<number, NodeJS.Timeout>();
  #again: NodeJS.Timeout | undefined;
  #packetId = 0;
  #isOpen = false;

  constructor(options: SubscriptionsOptions) {
    this.#options = options;
  }

  /** Wanted filters that the broker refused. */
  get refused(): readonly string[] {
    return [...this.#refused];
  }

  /** Whether every wanted filter is granted. */
  get isComplete(): boolean {
    return [...this.#wanted].every((filter) => this.#granted.has(filter));
  }

  want(filters: ReadonlySet<string>): void {
    this.#wanted = filters;
    if (this.#isOpen) this.#adjust();
  }

  /** A connection is open. A kept session may have any of the filters, so all are asked for again. */
  opened(): void {
    this.#isOpen = true;
    this.#adjust();
  }

  lost(): void {
    this.#isOpen = false;
    this.#granted = new Set();
    this.#refused.clear();
    this.#asked.clear();
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers = new Map();
    clearTimeout(this.#again);
    this.#again = undefined;
  }

  /** Takes a SUBACK or UNSUBACK. */
  answered(packet: Packet): void {
    if (packet.cmd !== "suback" && packet.cmd !== "unsuback") return;
    const id = packet.messageId ?? 0;
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
    const filters = this.#asked.get(id) ?? [];
    this.#asked.delete(id);
    if (packet.cmd !== "suback") return;
    filters.forEach((filter, i) => {
      if (packet.granted[i] === REFUSED) this.#refused.add(filter);
      else this.#granted.add(filter);
    });
    if (this.#refused.size > 0) this.#askAgainLater();
    // What was wanted or dropped meanwhile; once, since going through 40,000 filters takes 15 ms.
    if (this.#asked.size === 0) this.#adjust();
  }

  #askAgainLater(): void {
    if (this.#again !== undefined) return;
    const { log, clientId } = this.#options;
    log.warn({ clientId, filters: this.refused }, "the external broker refuses subscriptions");
    this.#again = setTimeout(() => {
      this.#again = undefined;
      this.#refused.clear();
      this.#adjust();
    }, AGAIN_MS);
  }

  #adjust(): void {
    const inFlight = new Set([...this.#asked.values()].flat());
    const missing = [...this.#wanted].filter(
      (filter) => !this.#granted.has(filter) && !this.#refused.has(filter) && !inFlight.has(filter),
    );
    for (let i = 0; i < missing.length; i += PER_PACKET) {
      const filters = missing.slice(i, i + PER_PACKET);
      const messageId = this.#ask(filters);
      const subscriptions = filters.map((topic) => ({ topic, qos: 1 as const }));
      this.#options.send(mqtt.generate({ cmd: "subscribe", messageId, subscriptions }));
    }
    const surplus = [...this.#granted].filter((filter) => !this.#wanted.has(filter));
    for (const filter of surplus) this.#granted.delete(filter);
    for (let i = 0; i < surplus.length; i += PER_PACKET) {
      const messageId = this.#ask([]);
      const unsubscriptions = surplus.slice(i, i + PER_PACKET);
      this.#options.send(mqtt.generate({ cmd: "unsubscribe", messageId, unsubscriptions }));
    }
  }

  #ask(filters: readonly string[]): number {
    this.#packetId = (this.#packetId % 65_535) + 1;
    const id = this.#packetId;
    this.#asked.set(id, filters);
    this.#timers.set(id, setTimeout(this.#options.unanswered, ANSWER_MS));
    return id;
  }
}
