import { crc32 } from "../disk/crc32.ts";
import type { JournalRecord } from "../ports/journal.ts";

/**
 * A record on disk and in the memory tail, little-endian:
 *
 *     0  u32  length  bytes after the crc, 18 or more: zeros are never a record
 *     4  u32  crc32   over the length and everything after the crc, seeded with the journal's id
 *     8  f64  sequence
 *    16  f64  time, ms since the Unix epoch
 *    24  u8   kind
 *    25  u8   flags: 1 = first record of its commit
 *    26       body
 *
 * The seed keeps records of another journal out, and bytes inside a message's body that were made to look
 * like a record: their sender does not know the id.
 */
export const RECORD_OVERHEAD = 26;
const BEFORE_LENGTH_ENDS = 8;
const MIN_LENGTH = RECORD_OVERHEAD - BEFORE_LENGTH_ENDS;
const FIRST_OF_COMMIT = 1;

/** Bytes with a view of the same memory; both are needed to read numbers and copy bodies fast. */
export interface Bytes {
  readonly array: Uint8Array;
  readonly view: DataView;
}

/** The same memory as an array and as a view. */
export function bytesOf(array: Uint8Array): Bytes {
  return { array, view: new DataView(array.buffer, array.byteOffset, array.byteLength) };
}

/** Start value of every record's crc in one journal. */
export function recordSeed(journalId: string): number {
  const id = new TextEncoder().encode(journalId);
  return crc32(id, 0, id.length, 0);
}

/** Writes one record at `offset` and returns the offset after it. */
export function encodeRecord(
  { array, view }: Bytes,
  offset: number,
  sequence: number,
  timeMs: number,
  kind: number,
  firstOfCommit: boolean,
  body: Uint8Array,
  seed: number,
): number {
  const end = offset + RECORD_OVERHEAD + body.length;
  view.setUint32(offset, end - offset - BEFORE_LENGTH_ENDS, true);
  view.setFloat64(offset + 8, sequence, true);
  view.setFloat64(offset + 16, timeMs, true);
  view.setUint8(offset + 24, kind);
  view.setUint8(offset + 25, firstOfCommit ? FIRST_OF_COMMIT : 0);
  array.set(body, offset + RECORD_OVERHEAD);
  view.setUint32(offset + 4, recordCrc(array, offset, end, seed), true);
  return end;
}

/**
 * The offset after the record at `offset`, or 0 when there is no whole record with a plausible
 * length in `[offset, limit)`. Does not check the crc.
 */
export function recordEnd({ view }: Bytes, offset: number, limit: number): number {
  if (offset + RECORD_OVERHEAD > limit) return 0;
  const length = view.getUint32(offset, true);
  const end = offset + BEFORE_LENGTH_ENDS + length;
  return length < MIN_LENGTH || end > limit ? 0 : end;
}

/** Bytes that a record at `offset` says it takes; 0 when not even its length is in `[offset, limit)`. */
export function claimedBytes({ view }: Bytes, offset: number, limit: number): number {
  return offset + 4 > limit ? 0 : BEFORE_LENGTH_ENDS + view.getUint32(offset, true);
}

/** Whether the crc of the record in `[offset, end)` is right. */
export function isIntact({ array, view }: Bytes, offset: number, end: number, seed: number) {
  return view.getUint32(offset + 4, true) === recordCrc(array, offset, end, seed);
}

export function recordSequence({ view }: Bytes, offset: number): number {
  return view.getFloat64(offset + 8, true);
}

export function recordTimeMs({ view }: Bytes, offset: number): number {
  return view.getFloat64(offset + 16, true);
}

export function isFirstOfCommit({ view }: Bytes, offset: number): boolean {
  return (view.getUint8(offset + 25) & FIRST_OF_COMMIT) !== 0;
}

/** The record in `[offset, end)`; its body is a view of the same memory. */
export function decodeRecord(bytes: Bytes, offset: number, end: number): JournalRecord {
  return {
    sequence: recordSequence(bytes, offset),
    timeMs: recordTimeMs(bytes, offset),
    kind: bytes.view.getUint8(offset + 24),
    body: bytes.array.subarray(offset + RECORD_OVERHEAD, end),
  };
}

function recordCrc(array: Uint8Array, offset: number, end: number, seed: number): number {
  return crc32(array, offset + 8, end, crc32(array, offset, offset + 4, seed));
}
