/** Control packet types, MQTT 3.1.1 table 2.1. */
export const PACKET_TYPE = {
  connect: 1,
  publish: 3,
  puback: 4,
  pubrec: 5,
  pubrel: 6,
  pubcomp: 7,
  subscribe: 8,
  unsubscribe: 10,
  pingreq: 12,
  disconnect: 14,
} as const;

/** Why a byte stream is not read on. */
export type FrameProblem = "malformed" | "oversized";

/**
 * Cuts a byte stream into MQTT control packets. Only the fixed header is read, so a packet that is
 * too long is known from its first bytes and never collected.
 */
export class FrameReader {
  /** The packet that `next` found lies in `buffer` at `[start, end)`, its body from `bodyStart` on. */
  buffer: Buffer = Buffer.alloc(0);
  start = 0;
  bodyStart = 0;
  end = 0;
  /** Largest whole packet, bytes. */
  limit: number;

  #offset = 0;
  /** Parts of a packet that is not complete, and the bytes to collect before the next read. */
  #parts: Buffer[] = [];
  #collected = 0;
  #wanted = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Adds what was read; call `next` until it has no more. */
  append(chunk: Buffer): void {
    if (this.#collected > 0) {
      this.#parts.push(chunk);
      this.#collected += chunk.length;
      if (this.#collected < this.#wanted) return;
      this.buffer = Buffer.concat(this.#parts, this.#collected);
      this.#parts = [];
      this.#collected = 0;
    } else {
      this.buffer =
        this.#offset < this.buffer.length
          ? Buffer.concat([this.buffer.subarray(this.#offset), chunk])
          : chunk;
    }
    this.#offset = 0;
  }

  /** Moves to the next whole packet; `false`: more bytes are needed. */
  next(): boolean | FrameProblem {
    if (this.#collected > 0) return false;
    const { buffer } = this;
    const start = this.#offset;
    let at = start + 1;
    let length = 0;
    // Remaining length: 7 bits a byte, least significant first, at most four bytes (section 2.2.3).
    for (let shift = 0; ; shift += 7) {
      if (at >= buffer.length) return this.#collect(5);
      const byte = buffer[at++] ?? 0;
      length += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) break;
      if (shift === 21) return "malformed";
    }
    const end = at + length;
    if (end - start > this.limit) return "oversized";
    if (end > buffer.length) return this.#collect(end - start);
    this.start = start;
    this.bodyStart = at;
    this.end = end;
    this.#offset = end;
    return true;
  }

  /** Keeps the rest until `wanted` bytes of it are there; fewer than 5 are read each time. */
  #collect(wanted: number): false {
    const rest = this.buffer.subarray(this.#offset);
    this.#offset = 0;
    this.buffer = rest;
    if (rest.length === 0 || wanted <= 5) return false;
    this.#parts = [rest];
    this.#collected = rest.length;
    this.#wanted = wanted;
    this.buffer = Buffer.alloc(0);
    return false;
  }
}
