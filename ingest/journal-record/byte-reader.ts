import { TextCache } from "./text-cache.ts";

/** Longer texts are reasons and payloads, which do not come again and again as ids and names do. */
const CACHED_TEXT_BYTES = 128;

const texts = new TextCache();
/** Of the memory that was read last: thousands of records share a piece of it. */
let lastView: DataView = new DataView(new ArrayBuffer(0));

function viewOf(buffer: ArrayBufferLike): DataView {
  if (lastView.buffer !== buffer) lastView = new DataView(buffer);
  return lastView;
}

/** Reads what `ByteWriter` wrote, front to back. Reading past the end throws a `RangeError`. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  /** Where `#bytes` begins in `#view`. */
  readonly #origin: number;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = viewOf(bytes.buffer);
    this.#origin = bytes.byteOffset;
  }

  /** Whether everything was read. */
  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  u8(): number {
    return this.#view.getUint8(this.#origin + this.#take(1));
  }

  u16(): number {
    return this.#view.getUint16(this.#origin + this.#take(2), true);
  }

  u32(): number {
    return this.#view.getUint32(this.#origin + this.#take(4), true);
  }

  f64(): number {
    return this.#view.getFloat64(this.#origin + this.#take(8), true);
  }

  text(): string {
    const first = this.u8();
    const size = first === 255 ? this.u32() : first;
    const start = this.#take(size);
    if (size <= CACHED_TEXT_BYTES) return texts.text(this.#bytes, start, this.#at);
    return Buffer.from(this.#bytes.buffer, this.#origin + start, size).toString("utf8");
  }

  /** A copy, so that the journal's large read buffer is not kept alive by one payload. */
  bytes(): Uint8Array {
    const size = this.u32();
    const start = this.#take(size);
    return Uint8Array.prototype.slice.call(this.#bytes, start, this.#at);
  }

  /** Passes over that many bytes, and yields where they begin. */
  #take(size: number): number {
    const start = this.#at;
    if (start + size > this.#bytes.length) throw new RangeError("record ends too early");
    this.#at = start + size;
    return start;
  }
}
