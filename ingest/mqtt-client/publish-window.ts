import mqtt from "mqtt-packet";

/** What is published. */
export interface Publication {
  readonly topic: string;
  readonly payload: string;
}

/**
 * Messages in flight to a broker at QoS 1, oldest first: those that wait, and behind a packet id those
 * that were sent and have no PUBACK. Sessions are clean, so what has none when its connection is lost goes
 * out again on the next one, before anything newer, as a message that was never sent.
 */
export class PublishWindow<Message extends Publication> {
  /** At most 10,000, of which `shift` moves some 80 kB. */
  readonly #waiting: Message[] = [];
  readonly #inFlight = new Map<number, Message>();
  readonly #size: number;
  #packetId = 0;

  /** `size`: messages without PUBACK at most. */
  constructor(size: number) {
    this.#size = size;
  }

  get waitingCount(): number {
    return this.#waiting.length;
  }

  get inFlightCount(): number {
    return this.#inFlight.size;
  }

  add(message: Message): void {
    this.#waiting.push(message);
  }

  /** The PUBLISH packets that there is room for, as bytes to be written at once; `undefined`: none. */
  takeDue(): Buffer | undefined {
    const packets: Buffer[] = [];
    while (this.#inFlight.size < this.#size) {
      const message = this.#waiting.shift();
      if (message === undefined) break;
      const messageId = this.#nextId();
      this.#inFlight.set(messageId, message);
      const { topic, payload } = message;
      const flags = { qos: 1, dup: false, retain: false } as const;
      packets.push(mqtt.generate({ cmd: "publish", topic, payload, messageId, ...flags }));
    }
    return packets.length === 0 ? undefined : Buffer.concat(packets);
  }

  /** The message that a PUBACK is of, now done with; `undefined`: of none. */
  acknowledged(packetId: number | undefined): Message | undefined {
    const message = this.#inFlight.get(packetId ?? 0);
    this.#inFlight.delete(packetId ?? 0);
    return message;
  }

  /** The connection is gone, and with it the packet ids. */
  lost(): void {
    this.#waiting.unshift(...this.#inFlight.values());
    this.#inFlight.clear();
  }

  #nextId(): number {
    do this.#packetId = (this.#packetId % 65_535) + 1;
    while (this.#inFlight.has(this.#packetId));
    return this.#packetId;
  }
}
