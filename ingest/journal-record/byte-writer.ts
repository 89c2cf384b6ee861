/**
 * Builds one binary record in a buffer that is used again for the next; little endian. Texts and byte
 * strings carry a 32-bit length, short texts (below 255 bytes) one byte.
 */
export class ByteWriter {
  #buffer = Buffer.allocUnsafe(64 * 1024);
  #length = 0;

  /** Starts a record; what a failed one left is dropped. */
  begin(): void {
    this.#length = 0;
  }

  u8(value: number): number {
    const at = this.#reserve(1);
    this.#buffer[at] = value;
    return at;
  }

  patchU8(at: number, value: number): void {
    this.#buffer[at] = value;
  }

  u16(value: number): void {
    const at = this.#reserve(2);
    this.#buffer.writeUInt16LE(value, at);
  }

  u32(value: number): void {
    const at = this.#reserve(4);
    this.#buffer.writeUInt32LE(value, at);
  }

  f64(value: number): void {
    const at = this.#reserve(8);
    this.#buffer.writeDoubleLE(value, at);
  }

  text(value: string): void {
    // UTF-8 needs at most 3 bytes for each UTF-16 unit.
    const at = this.#reserve(5 + value.length * 3);
    const short = value.length * 3 < 255;
    const start = at + (short ? 1 : 5);
    const size = this.#buffer.write(value, start, "utf8");
    if (short) {
      this.#buffer[at] = size;
    } else {
      this.#buffer[at] = 255;
      this.#buffer.writeUInt32LE(size, at + 1);
    }
    this.#length = start + size;
  }

  bytes(value: Uint8Array): void {
    this.u32(value.length);
    const at = this.#reserve(value.length);
    this.#buffer.set(value, at);
  }

  /** A copy of what was written since `begin`. */
  take(): Uint8Array {
    const record = Buffer.allocUnsafe(this.#length);
    this.#buffer.copy(record, 0, 0, this.#length);
    return record;
  }

  /** Makes room, perhaps in a new buffer: take the place first, the buffer after. */
  #reserve(size: number): number {
    const at = this.#length;
    if (at + size > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, at + size));
      this.#buffer.copy(larger, 0, 0, at);
      this.#buffer = larger;
    }
    this.#length = at + size;
    return at;
  }
}
