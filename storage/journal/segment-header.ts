import { DomainError } from "../../domain/errors.ts";
import { crc32 } from "../disk/crc32.ts";
import { bytesOf } from "./record-codec.ts";

/** Bytes before the first record of a segment. */
export const HEADER_BYTES = 64;
const MAGIC = new TextEncoder().encode("PLUMJRNL");
const VERSION = 1;

/**
 * What a segment says about itself, written together with its first commit; a segment that was
 * only preallocated has zeros there.
 *
 *     0  8 x u8  "PLUMJRNL"
 *     8  u32     format version, 1
 *    12  u32     ordinal
 *    16  16 x u8 journal id
 *    32  f64     first sequence
 *    60  u32     crc32 of the 60 bytes before it
 */
export interface SegmentHeader {
  readonly journalId: string;
  readonly ordinal: number;
  /**
   * Sequence of the first record. Records of earlier segments with this sequence or a later one
   * belong to a commit that failed and was reported as failed: they do not count.
   */
  readonly firstSequence: number;
}

export function encodeHeader(
  { journalId, ordinal, firstSequence }: SegmentHeader,
  version = VERSION,
): Uint8Array {
  const { array, view } = bytesOf(new Uint8Array(HEADER_BYTES));
  array.set(MAGIC);
  view.setUint32(8, version, true);
  view.setUint32(12, ordinal, true);
  array.set(Buffer.from(journalId.replaceAll("-", ""), "hex"), 16);
  view.setFloat64(32, firstSequence, true);
  view.setUint32(60, crc32(array, 0, 60, 0), true);
  return array;
}

/**
 * The header at the start of `bytes`, or `undefined` when there is none that is intact.
 * @throws DomainError `SCHEMA_TOO_NEW` for an intact header of a later format.
 */
export function decodeHeader(bytes: Uint8Array): SegmentHeader | undefined {
  if (bytes.length < HEADER_BYTES || MAGIC.some((byte, i) => bytes[i] !== byte)) return undefined;
  const { array, view } = bytesOf(bytes.subarray(0, HEADER_BYTES));
  if (view.getUint32(60, true) !== crc32(array, 0, 60, 0)) return undefined;
  const version = view.getUint32(8, true);
  if (version > VERSION) {
    throw new DomainError(
      "SCHEMA_TOO_NEW",
      `journal format ${version}; this program knows ${VERSION}`,
    );
  }
  const hex = Buffer.from(array.subarray(16, 32)).toString("hex");
  return {
    journalId: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5"),
    ordinal: view.getUint32(12, true),
    firstSequence: view.getFloat64(32, true),
  };
}
