/** Reads what `ByteWriter` wrote, front to back. Reading past the end throws a `RangeError`. */
export class ByteReader {
  readonly #buffer: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Whether everything was read. */
  get isAtEnd(): boolean {
    return this.#at === this.#buffer.length;
  }

  u8(): number {
    const value = this.#buffer.readUInt8(this.#at);
    this.#at += 1;
    return value;
  }

  u16(): number {
    const value = this.#buffer.readUInt16LE(this.#at);
    this.#at += 2;
    return value;
  }

  u32(): number {
    const value = this.#buffer.readUInt32LE(this.#at);
    this.#at += 4;
    return value;
  }

  f64(): number {
    const value = this.#buffer.readDoubleLE(this.#at);
    this.#at += 8;
    return value;
  }

  text(): string {
    const first = this.u8();
    const size = first === 255 ? this.u32() : first;
    const start = this.#take(size);
    return this.#buffer.toString("utf8", start, this.#at);
  }

  /** A copy, so that the journal's large read buffer is not kept alive by one payload. */
  bytes(): Uint8Array {
    const size = this.u32();
    const start = this.#take(size);
    return Uint8Array.prototype.slice.call(this.#buffer, start, this.#at);
  }

  #take(size: number): number {
    const start = this.#at;
    if (start + size > this.#buffer.length) throw new RangeError("record ends too early");
    this.#at += size;
    return start;
  }
}
