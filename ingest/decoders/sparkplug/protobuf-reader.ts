import { DomainError } from "../../../domain/errors.ts";

/** How a field's value is written (protobuf.dev, "Encoding"). */
const WIRE = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

/** Most bytes of a varint: 64 bits by seven. */
const MAX_VARINT_BYTES = 10;

/**
 * Reads the fields of protobuf messages one after the other, without copying and without recursion.
 * @throws DomainError `DECODE_FAILED` from every method where the bytes are not such a value.
 */
export class ProtobufReader {
  /** Place of the next byte. */
  at = 0;
  /** Nothing is read from here on: the end of the message that is read. */
  end: number;
  /** The number of the field that `next` found, from 1. */
  field = 0;
  /** Its wire type, one of `WIRE`. */
  wire = 0;
  readonly #bytes: Buffer;
  /** The upper half of the varint that was read last; the lower is what `#varint` yields. */
  #high = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.end = bytes.byteLength;
  }

  /** Goes on to the next field of the message; `false` at its end. */
  next(): boolean {
    if (this.at >= this.end) return false;
    const at = this.at;
    const tag = this.#varint();
    this.field = tag >>> 3;
    this.wire = tag & 7;
    if (this.#high !== 0 || this.field === 0) throw failure(`no field at byte ${at}`);
    return true;
  }

  /** Passes over the value of a field that is not read. Groups are refused: nothing here has any. */
  skip(): void {
    if (this.wire === WIRE.varint) this.#varint();
    else if (this.wire === WIRE.fixed64) this.#take(8);
    else if (this.wire === WIRE.bytes) this.#take(this.#length());
    else if (this.wire === WIRE.fixed32) this.#take(4);
    else throw failure(`wire type ${this.wire} at byte ${this.at}; 0, 1, 2 and 5 are understood`);
  }

  /** The lower 32 bits of a varint, unsigned: what is above them says nothing (as in every reader). */
  u32(): number {
    this.#expect(WIRE.varint);
    return this.#varint();
  }

  /** Unsigned; rounded to a double from 2^53 on. */
  u64(): number {
    this.#expect(WIRE.varint);
    const low = this.#varint();
    return this.#high * 2 ** 32 + low;
  }

  /** Two's complement; rounded to a double beyond 2^53. */
  i64(): number {
    this.#expect(WIRE.varint);
    const low = this.#varint();
    return (this.#high | 0) * 2 ** 32 + low;
  }

  bool(): boolean {
    this.#expect(WIRE.varint);
    const low = this.#varint();
    return low !== 0 || this.#high !== 0;
  }

  float(): number {
    this.#expect(WIRE.fixed32);
    return this.#bytes.readFloatLE(this.#take(4));
  }

  double(): number {
    this.#expect(WIRE.fixed64);
    return this.#bytes.readDoubleLE(this.#take(8));
  }

  text(): string {
    this.#expect(WIRE.bytes);
    const length = this.#length();
    const at = this.#take(length);
    const text = this.#bytes.toString("utf8", at, at + length);
    // What bytes that are not UTF-8 become.
    if (text.includes("\ufffd")) throw failure(`the text at byte ${at} is not UTF-8`);
    return text;
  }

  /**
   * Enters the message that is this field's value, and yields what `leave` takes when its fields are read.
   */
  enter(): number {
    this.#expect(WIRE.bytes);
    const length = this.#length();
    if (length > this.end - this.at) throw this.#tooShort();
    const outerEnd = this.end;
    this.end = this.at + length;
    return outerEnd;
  }

  /** Goes back to the message that `enter` left, after `next` has found the end of the one it entered. */
  leave(outerEnd: number): void {
    this.end = outerEnd;
  }

  #expect(wire: number): void {
    if (this.wire === wire) return;
    throw failure(
      `field ${this.field} before byte ${this.at} has wire type ${this.wire}, not ${wire}`,
    );
  }

  #length(): number {
    const length = this.#varint();
    // 4 GiB are beyond every end as well.
    return this.#high === 0 ? length : 2 ** 32;
  }

  /** Yields the lower 32 bits, unsigned, and leaves the upper ones in `#high`. */
  #varint(): number {
    const bytes = this.#bytes;
    const start = this.at;
    if (start >= this.end) throw this.#tooShort();
    const first = bytes[start] ?? 0;
    this.#high = 0;
    if (first < 0x80) {
      this.at = start + 1;
      return first;
    }
    const last = Math.min(this.end, start + MAX_VARINT_BYTES);
    let low = first & 0x7f;
    let high = 0;
    for (let at = start + 1; at < last; at += 1) {
      const byte = bytes[at] ?? 0;
      const seven = byte & 0x7f;
      const shift = (at - start) * 7;
      if (shift < 28) low |= seven << shift;
      else if (shift === 28) {
        low |= seven << 28;
        high = seven >>> 4;
      } else high |= seven << (shift - 32);
      if (byte < 0x80) {
        // The tenth byte has the 64th bit alone.
        if (shift === 63 && byte > 1) break;
        this.at = at + 1;
        this.#high = high >>> 0;
        return low >>> 0;
      }
    }
    if (start + MAX_VARINT_BYTES > this.end) throw this.#tooShort();
    throw failure(`the number at byte ${start} has more than 64 bits`);
  }

  /** Passes over `count` bytes and yields where they start. */
  #take(count: number): number {
    const { at } = this;
    if (count > this.end - at) throw this.#tooShort();
    this.at = at + count;
    return at;
  }

  #tooShort(): DomainError {
    return failure(
      `a value at byte ${this.at} goes beyond byte ${this.end}, where its message ends`,
    );
  }
}

function failure(problem: string): DomainError {
  return new DomainError("DECODE_FAILED", problem);
}
