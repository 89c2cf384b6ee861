import { crc32 } from "../../../disk/crc32.ts";

/** Integers up to this are coded without floating-point division. */
const INT31 = 2 ** 31;
/** Longest varint: 53 bits in groups of 7. */
const MAX_VARINT_BYTES = 8;

/** Appends to a buffer that grows and is used again for the next block. */
export class ByteWriter {
  private bytes: Uint8Array;
  private length = 0;

  constructor(capacity: number) {
    this.bytes = new Uint8Array(capacity);
  }

  get position(): number {
    return this.length;
  }

  /** A copy of what was written; the writer starts again at 0. */
  take(): Uint8Array {
    const copy = this.bytes.slice(0, this.length);
    this.length = 0;
    return copy;
  }

  byte(value: number): void {
    this.reserve(1);
    this.bytes[this.length++] = value;
  }

  raw(values: Uint8Array): void {
    this.reserve(values.length);
    this.bytes.set(values, this.length);
    this.length += values.length;
  }

  /** A non-negative integer below 2^53, 7 bits a byte, low bits first. */
  varint(value: number): void {
    this.reserve(MAX_VARINT_BYTES);
    let rest = value;
    while (rest >= INT31) {
      this.bytes[this.length++] = (rest % 128) | 128;
      rest = Math.floor(rest / 128);
    }
    while (rest > 127) {
      this.bytes[this.length++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    this.bytes[this.length++] = rest;
  }

  /** An integer of magnitude below 2^52, small magnitudes first. */
  zigzag(value: number): void {
    this.varint(value < 0 ? -2 * value - 1 : 2 * value);
  }

  /** Writes `value` as four bytes at an earlier position. */
  patchUint32(position: number, value: number): void {
    new DataView(this.bytes.buffer).setUint32(position, value, true);
  }

  /** CRC-32 of what was written from `start` on, continuing from `seed`. */
  crc32From(start: number, seed: number): number {
    return crc32(this.bytes, start, this.length, seed);
  }

  private reserve(count: number): void {
    if (this.length + count <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(this.bytes.length * 2, this.length + count));
    grown.set(this.bytes);
    this.bytes = grown;
  }
}
