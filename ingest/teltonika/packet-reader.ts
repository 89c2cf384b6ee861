import { crc16 } from "../decoders/teltonika/crc16.ts";

/** IMEI as ASCII digits; 15 by 3GPP TS 23.003, 16 and 17 with a software version. */
const IMEI = /^\d{14,17}$/;
/** Longest IMEI, and so longest hand-shake, bytes. */
const MAX_IMEI_BYTES = 17;
/** Zeros and length before the data; CRC behind them. */
const HEAD_BYTES = 8;
const CRC_BYTES = 4;
/** Codec id and the number of records at both ends. */
const MIN_DATA_BYTES = 3;
/**
 * Longest data of one packet, bytes. Devices send up to 1,280, some 8,192. Larger lets unknown peers take memory;
 * smaller could refuse a device.
 */
const MAX_DATA_BYTES = 64 * 1024;
/** What a device sends, at any time, to keep the network's path open; it begins no IMEI and no packet. */
const PING = 0xff;

/** One AVL packet. */
export interface TeltonikaPacket {
  /** From the four zeros to the CRC. */
  readonly bytes: Uint8Array;
  readonly codec: number;
  /** By the packet's own word; what the device wants to hear back. */
  readonly recordCount: number;
  readonly crc: number;
  readonly isIntact: boolean;
}

/** Why nothing more can be read from a connection. */
export type StreamProblem = "malformed" | "oversized";

/** Cuts a TCP stream into the hand-shake and packets; holds at most one packet and one chunk. */
export class PacketReader {
  #buffer: Buffer = Buffer.alloc(0);
  /** What is not read yet; packets handed out lie before `#start` and are never written to. */
  #start = 0;
  #end = 0;

  append(chunk: Buffer): void {
    const rest = this.#end - this.#start;
    if (rest === 0) {
      this.#buffer = chunk;
      this.#start = 0;
      this.#end = chunk.length;
      return;
    }
    if (this.#buffer.length - this.#end < chunk.length) {
      // Twice the need: a packet that comes byte by byte is copied a few times, not once a byte.
      const larger = Buffer.alloc(2 * (rest + chunk.length));
      this.#buffer.copy(larger, 0, this.#start, this.#end);
      this.#buffer = larger;
      this.#start = 0;
      this.#end = rest;
    }
    chunk.copy(this.#buffer, this.#end);
    this.#end += chunk.length;
  }

  /** The IMEI of the hand-shake; `undefined`: more bytes are needed. */
  readImei(): { readonly imei: string } | StreamProblem | undefined {
    this.#passPings();
    if (this.#end - this.#start < 2) return undefined;
    const length = this.#buffer.readUInt16BE(this.#start);
    if (length > MAX_IMEI_BYTES) return "malformed";
    if (this.#end - this.#start < 2 + length) return undefined;
    const from = this.#start + 2;
    const imei = this.#buffer.toString("latin1", from, from + length);
    if (!IMEI.test(imei)) return "malformed";
    this.#start = from + length;
    return { imei };
  }

  /** The next packet; `undefined`: more bytes are needed. */
  readPacket(): TeltonikaPacket | StreamProblem | undefined {
    this.#passPings();
    const from = this.#start;
    const head = this.#buffer.subarray(from, Math.min(from + 4, this.#end));
    if (head.some((byte) => byte !== 0)) return "malformed";
    if (this.#end - from < HEAD_BYTES) return undefined;
    const length = this.#buffer.readUInt32BE(from + 4);
    if (length < MIN_DATA_BYTES) return "malformed";
    if (length > MAX_DATA_BYTES) return "oversized";
    const end = from + HEAD_BYTES + length + CRC_BYTES;
    if (this.#end < end) return undefined;
    const bytes = this.#buffer.subarray(from, end);
    this.#start = end;
    const crc = bytes.readUInt32BE(HEAD_BYTES + length);
    return {
      bytes,
      codec: bytes[HEAD_BYTES] ?? 0,
      recordCount: bytes[HEAD_BYTES + 1] ?? 0,
      crc,
      isIntact: crc === crc16(bytes, HEAD_BYTES, HEAD_BYTES + length),
    };
  }

  #passPings(): void {
    while (this.#start < this.#end && this.#buffer[this.#start] === PING) this.#start += 1;
  }
}
