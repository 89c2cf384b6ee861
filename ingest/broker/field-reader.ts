import { isUtf8 } from "node:buffer";

const NUL = 0;
const NOTHING = Buffer.alloc(0);

/**
 * Reads the fields of one MQTT packet, front to back. What does not fit makes it `broken`, and all
 * further fields empty, so that a caller checks once, at the end.
 */
export class FieldReader {
  readonly #buffer: Buffer;
  readonly #end: number;
  #at: number;
  #isBroken = false;

  constructor(buffer: Buffer, start: number, end: number) {
    this.#buffer = buffer;
    this.#at = start;
    this.#end = end;
  }

  /** Whether a field did not fit, or was against the rules. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#end;
  }

  u8(): number {
    const at = this.#take(1);
    return at === undefined ? 0 : (this.#buffer[at] ?? 0);
  }

  u16(): number {
    const at = this.#take(2);
    return at === undefined ? 0 : this.#buffer.readUInt16BE(at);
  }

  /** A byte string with its length in front, not copied. */
  bytes(): Buffer {
    const length = this.u16();
    const at = this.#take(length);
    return at === undefined ? NOTHING : this.#buffer.subarray(at, at + length);
  }

  /**
   * A UTF-8 string with its length in front. Surrogates are not UTF-8 [MQTT-1.5.3-1], U+0000 is not
   * allowed [MQTT-1.5.3-2], and a byte order mark is a character like any other [MQTT-1.5.3-3].
   */
  text(): string {
    const bytes = this.bytes();
    if (!isUtf8(bytes) || bytes.includes(NUL)) this.#isBroken = true;
    return this.#isBroken ? "" : bytes.toString();
  }

  /** Passes over the properties of a packet of MQTT 5 (section 2.2.2 of that standard). */
  skipProperties(): void {
    let length = 0;
    for (let shift = 0; shift <= 21; shift += 7) {
      const byte = this.u8();
      length += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) break;
    }
    this.#take(length);
  }

  /** Moves on by `length` bytes; yields where they begin. */
  #take(length: number): number | undefined {
    const at = this.#at;
    if (this.#isBroken || at + length > this.#end) {
      this.#isBroken = true;
      return undefined;
    }
    this.#at = at + length;
    return at;
  }
}
