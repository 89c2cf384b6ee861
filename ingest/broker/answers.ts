/** First bytes of the packets that acknowledge a message (table 2.2). */
export const ANSWER = { puback: 0x40, pubrec: 0x50, pubcomp: 0x70 } as const;

const PACKET_BYTES = 4;

/** Acknowledgements of one connection that leave with the next write, in order. */
export class Answers {
  /** First byte and packet identifier of each, in one number. */
  readonly #packets: number[] = [];

  get isEmpty(): boolean {
    return this.#packets.length === 0;
  }

  /** Adds one; `true`: it is the first, so a write has to be arranged. */
  add(firstByte: (typeof ANSWER)[keyof typeof ANSWER], packetId: number): boolean {
    return this.#packets.push((firstByte << 16) | packetId) === 1;
  }

  /** Takes all of them, as bytes. */
  take(): Buffer {
    const bytes = Buffer.allocUnsafe(this.#packets.length * PACKET_BYTES);
    let at = 0;
    for (const packet of this.#packets) {
      bytes[at] = packet >> 16;
      bytes[at + 1] = 2;
      bytes[at + 2] = (packet >> 8) & 0xff;
      bytes[at + 3] = packet & 0xff;
      at += PACKET_BYTES;
    }
    this.#packets.length = 0;
    return bytes;
  }
}
