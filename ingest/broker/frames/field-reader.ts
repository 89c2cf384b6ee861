import { isUtf8 } from "node:buffer";

const NUL = 0;
const NOTHING = Buffer.alloc(0);

/**
 * Reads the fields of one MQTT packet, front to back. What does not fit makes it `broken`, and all
 * further fields empty, so that a caller checks once, at the end. `what` names a field for people.
 */
export class FieldReader {
  readonly #buffer: Buffer;
  readonly #end: number;
  #at: number;
  #problem: string | undefined;

  constructor(buffer: Buffer, start: number, end: number) {
    this.#buffer = buffer;
    this.#at = start;
    this.#end = end;
  }

  /** Whether a field did not fit, or was against the rules. */
  get isBroken(): boolean {
    return this.#problem !== undefined;
  }

  /** What was wrong with the first field that made it broken. */
  get problem(): string | undefined {
    return this.#problem;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#end;
  }

  u8(what = "field"): number {
    const at = this.#take(1, what);
    return at === undefined ? 0 : (this.#buffer[at] ?? 0);
  }

  u16(what = "field"): number {
    const at = this.#take(2, what);
    return at === undefined ? 0 : this.#buffer.readUInt16BE(at);
  }

  /** A byte string with its length in front, not copied. */
  bytes(what = "field"): Buffer {
    const length = this.u16(what);
    const at = this.#take(length, what);
    return at === undefined ? NOTHING : this.#buffer.subarray(at, at + length);
  }

  /**
   * A UTF-8 string with its length in front. Surrogates are not UTF-8 [MQTT-1.5.3-1], U+0000 is not
   * allowed [MQTT-1.5.3-2], and a byte order mark is a character like any other [MQTT-1.5.3-3].
   */
  text(what = "field"): string {
    const bytes = this.bytes(what);
    if (!isUtf8(bytes)) this.#problem ??= `[MQTT-1.5.3-1] the ${what} is not UTF-8`;
    else if (bytes.includes(NUL)) this.#problem ??= `[MQTT-1.5.3-2] U+0000 in the ${what}`;
    return this.isBroken ? "" : bytes.toString();
  }

  /** Passes over the properties of a packet of MQTT 5 (section 2.2.2 of that standard). */
  skipProperties(): void {
    let length = 0;
    for (let shift = 0; shift <= 21; shift += 7) {
      const byte = this.u8();
      length += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) break;
    }
    this.#take(length, "properties");
  }

  /** Moves on by `length` bytes; yields where they begin. */
  #take(length: number, what: string): number | undefined {
    if (this.isBroken) return undefined;
    const at = this.#at;
    if (at + length > this.#end) {
      this.#problem = `the packet ends before its ${what} does`;
      return undefined;
    }
    this.#at = at + length;
    return at;
  }
}
