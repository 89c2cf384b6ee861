import type { JournalRecord } from "../ports/journal.ts";

/**
 * The value of a record in Kafka, little-endian:
 *
 *     0  u8   kind
 *     1  f64  time, ms since the Unix epoch
 *     9       body
 *
 * The time is ours: that of the record is the broker's, by which it deletes what is old, so that a wrong clock
 * of ours deletes nothing early.
 */
const OVERHEAD = 9;

export function encodeValue(kind: number, timeMs: number, body: Uint8Array): Buffer {
  const value = Buffer.allocUnsafe(OVERHEAD + body.length);
  value.writeUInt8(kind, 0);
  value.writeDoubleLE(timeMs, 1);
  value.set(body, OVERHEAD);
  return value;
}

/** The record at an offset. Its body is a part of `value`, of which it keeps the memory. */
export function decodeValue(offset: number, value: Buffer): JournalRecord {
  return {
    sequence: offset + 1,
    kind: value.readUInt8(0),
    timeMs: value.readDoubleLE(1),
    body: value.subarray(OVERHEAD),
  };
}
