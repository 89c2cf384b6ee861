import type { MessageOrigin } from "./header.ts";
import { FIELD_BY_CODE, FLAG } from "./readings.ts";

/** A reading with a time of its own and without faults and notices, its fields by number. */
export interface PlainFields {
  /** Ms since the Unix epoch. */
  readonly timeMs: number;
  /** -1: none. */
  readonly seq: number;
  readonly fields: Uint8Array;
  readonly values: Float64Array;
  readonly count: number;
}

/** The code of each field of a list, for {@link encodePlain}; every one of them has a code. */
export function fieldCodes(names: readonly string[]): Uint8Array {
  const codes = names.map((name) => (FIELD_BY_CODE as readonly string[]).indexOf(name));
  if (codes.includes(-1)) throw new RangeError("a field without a code");
  return Uint8Array.from(codes);
}

/**
 * Records are cut from memory of this size, one behind the other, and never overwritten. Larger pieces are freed
 * later where somebody keeps a record; smaller ones are allocated more often.
 */
const PIECE_BYTES = 64 * 1024;
/** Receive time, client hash, packet id, payload hash, and the number of readings. */
const HEADER_BYTES = 8 + 4 + 2 + 4 + 2;
/** Flags, time, seq, hash and number of fields. */
const READING_BYTES = 1 + 8 + 8 + 4 + 1;
const FIELD_BYTES = 1 + 8;

let piece = new DataView(new ArrayBuffer(PIECE_BYTES));
let bytes = new Uint8Array(piece.buffer);
let used = 0;

/** Takes room for that many bytes, and yields where it begins. */
function room(size: number): number {
  if (used + size > piece.byteLength) {
    piece = new DataView(new ArrayBuffer(Math.max(PIECE_BYTES, size)));
    bytes = new Uint8Array(piece.buffer);
    used = 0;
  }
  return used;
}

/** The same body as `encodeReadings` makes of one such reading. `subject`: see `SubjectBytes`. */
export function encodePlain(
  { timeMs, seq, fields, values, count }: PlainFields,
  codes: Uint8Array,
  subject: Uint8Array,
  receivedAtMs: number,
  { clientHash, packetId, payloadHash }: MessageOrigin,
): Uint8Array {
  const start = room(subject.length + HEADER_BYTES + READING_BYTES + count * FIELD_BYTES);
  const view = piece;
  for (let i = 0; i < subject.length; i += 1) bytes[start + i] = subject[i] as number;
  let at = start + subject.length;
  view.setFloat64(at, receivedAtMs, true);
  view.setUint32(at + 8, clientHash, true);
  view.setUint16(at + 12, packetId, true);
  view.setUint32(at + 14, payloadHash, true);
  view.setUint16(at + 18, 1, true);
  at += HEADER_BYTES;
  view.setUint8(at, seq < 0 ? 0 : FLAG.seq);
  view.setFloat64(at + 1, timeMs, true);
  at += 9;
  if (seq >= 0) {
    view.setFloat64(at, seq, true);
    at += 8;
  }
  // Of the first reading it is that of the message.
  view.setUint32(at, payloadHash, true);
  view.setUint8(at + 4, count);
  at += 5;
  for (let i = 0; i < count; i += 1) {
    view.setUint8(at, codes[fields[i] as number] as number);
    view.setFloat64(at + 1, values[i] as number, true);
    at += FIELD_BYTES;
  }
  used = at;
  return new Uint8Array(view.buffer, start, at - start);
}
