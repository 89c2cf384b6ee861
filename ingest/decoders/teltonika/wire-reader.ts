import { DomainError } from "../../../domain/errors.ts";

/**
 * Reads big-endian numbers one after the other.
 * @throws DomainError `DECODE_FAILED` from every method where the bytes end before the number.
 */
export class WireReader {
  /** Place of the next byte. */
  at = 0;
  /** Nothing is read from here on. */
  end: number;
  readonly #view: DataView;

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.end = bytes.byteLength;
  }

  u8(): number {
    return this.#view.getUint8(this.#take(1));
  }

  i8(): number {
    return this.#view.getInt8(this.#take(1));
  }

  u16(): number {
    return this.#view.getUint16(this.#take(2));
  }

  i16(): number {
    return this.#view.getInt16(this.#take(2));
  }

  u32(): number {
    return this.#view.getUint32(this.#take(4));
  }

  i32(): number {
    return this.#view.getInt32(this.#take(4));
  }

  /** Rounded to a double from 2^53 on. */
  u64(): number {
    const at = this.#take(8);
    return this.#view.getUint32(at) * 2 ** 32 + this.#view.getUint32(at + 4);
  }

  /** A view of the next `count` bytes. */
  bytes(count: number): Buffer {
    const at = this.#take(count);
    const { buffer, byteOffset } = this.#view;
    return Buffer.from(buffer, byteOffset + at, count);
  }

  /** Passes over `count` bytes and yields where they start. */
  #take(count: number): number {
    const { at } = this;
    if (at + count > this.end) {
      throw new DomainError("DECODE_FAILED", `ends at byte ${this.end}, within a record`);
    }
    this.at = at + count;
    return at;
  }
}
