/** A message that was received and is not acknowledged yet. */
export interface Received {
  /** 0: QoS 0, nothing is sent for it. */
  readonly packetId: number;
  readonly bytes: number;
  isDone: boolean;
}

/**
 * Messages and payload bytes of one connection that may be unacknowledged before it is read no further. More take
 * memory; fewer leave the connection idle while the journal syncs.
 */
const MAX_MESSAGES = 8_000;
const MAX_BYTES = 4 * 1024 * 1024;
const PUBACK = 0x40;

/**
 * What one connection owes its broker. PUBACKs leave in the order in which the messages came
 * [MQTT-4.6.0-2], whatever order they became durable in, as many at once as there are.
 */
export class Acknowledgements {
  #queue: Received[] = [];
  #head = 0;
  #bytes = 0;

  get outstanding(): number {
    return this.#queue.length - this.#head;
  }

  /** Whether no more should be read now. */
  get isFull(): boolean {
    return this.outstanding > MAX_MESSAGES || this.#bytes > MAX_BYTES;
  }

  add(packetId: number, bytes: number): Received {
    const received = { packetId, bytes, isDone: false };
    this.#queue.push(received);
    this.#bytes += bytes;
    return received;
  }

  /** The PUBACKs that are due, as bytes; `undefined`: none. */
  takeDue(): Buffer | undefined {
    const from = this.#head;
    let count = 0;
    while (this.#queue[this.#head]?.isDone === true) {
      const { packetId, bytes } = this.#queue[this.#head] as Received;
      if (packetId !== 0) count += 1;
      this.#bytes -= bytes;
      this.#head += 1;
    }
    if (this.#head === from) return undefined;
    const packets = Buffer.allocUnsafe(count * 4);
    let at = 0;
    for (const { packetId } of this.#queue.slice(from, this.#head)) {
      if (packetId === 0) continue;
      packets[at] = PUBACK;
      packets[at + 1] = 2;
      packets.writeUInt16BE(packetId, at + 2);
      at += 4;
    }
    if (this.#head === this.#queue.length || this.#head > MAX_MESSAGES) {
      this.#queue = this.#queue.slice(this.#head);
      this.#head = 0;
    }
    return count === 0 ? undefined : packets;
  }

  /** The connection is gone: the broker sends again what it has no PUBACK for. */
  clear(): void {
    this.#queue = [];
    this.#head = 0;
    this.#bytes = 0;
  }
}
