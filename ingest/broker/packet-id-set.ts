/** Packet identifiers are 16 bits (section 2.3.1): one bit each. */
const WORDS = 65_536 / 32;

/** A set of MQTT packet identifiers in 8 KiB, which are allocated with the first of them. */
export class PacketIdSet {
  #words: Uint32Array | undefined;

  has(packetId: number): boolean {
    return (((this.#words?.[packetId >> 5] ?? 0) >>> (packetId & 31)) & 1) === 1;
  }

  add(packetId: number): void {
    this.#words ??= new Uint32Array(WORDS);
    const word = packetId >> 5;
    this.#words[word] = (this.#words[word] ?? 0) | (1 << (packetId & 31));
  }

  delete(packetId: number): void {
    if (this.#words === undefined) return;
    const word = packetId >> 5;
    this.#words[word] = (this.#words[word] ?? 0) & ~(1 << (packetId & 31));
  }
}
