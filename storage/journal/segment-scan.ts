import type { Hole } from "../ports/journal.ts";
import {
  type Bytes,
  bytesOf,
  isFirstOfCommit,
  isIntact,
  recordEnd,
  recordSequence,
  recordTimeMs,
} from "./record-codec.ts";
import type { Segment } from "./segment.ts";
import { HEADER_BYTES } from "./segment-header.ts";

export interface ScanFindings {
  readonly records: number;
  readonly holes: readonly Hole[];
  /** Bytes after the last record up to the last one that is not zero. */
  readonly cutBytes: number;
  /** Whether intact records are among the bytes to cut. */
  readonly cutsRecords: boolean;
}

export interface ScanBounds {
  /** Sequence of the first record of the next segment; `Infinity` for the last segment. */
  readonly nextSequence: number;
  readonly seed: number;
  /** Bytes up to and with the last one that is not zero, where that is known. */
  readonly used?: number;
}

/**
 * Reads a whole segment, checks every record and notes in `segment` what it holds.
 *
 * A run of records ends at length 0, at a bad crc, or at a sequence that is not the previous + 1.
 * What that means depends on what follows:
 * - nothing but zeros: the end.
 * - in the last segment, no intact record that *begins a later commit*: the commit that was being written
 *   when the process or the machine went down. A later commit starts only after the sync of the one before,
 *   so this one was the last. It is cut off, because its pages may have reached the disk in any order.
 * - otherwise: damage to records that were synced, and so may have been acknowledged. The intact
 *   records behind are kept; the missing ones are a hole.
 */
export function scanSegment(
  file: Uint8Array,
  segment: Segment,
  { nextSequence, seed, used = usedBytes(file) }: ScanBounds,
): ScanFindings {
  const bytes = bytesOf(file);
  const holes: Hole[] = [];
  let records = 0;
  let offset = HEADER_BYTES;
  let expected = segment.firstSequence;
  for (;;) {
    const end = recordEnd(bytes, offset, file.length);
    if (
      end > 0 &&
      expected < nextSequence &&
      recordSequence(bytes, offset) === expected &&
      isIntact(bytes, offset, end, seed)
    ) {
      segment.mark(expected, offset);
      segment.newestMs = Math.max(segment.newestMs, recordTimeMs(bytes, offset));
      segment.lastSequence = expected++;
      segment.end = offset = end;
      records++;
      continue;
    }
    const next = nextIntact(bytes, offset + 1, used, { from: expected, to: nextSequence, seed });
    const isLast = nextSequence === Number.POSITIVE_INFINITY;
    if (next === 0 || (isLast && !hasLaterCommit(bytes, next, used, expected, seed))) {
      if (!isLast && expected < nextSequence) {
        holes.push({ fromSequence: expected, toSequence: nextSequence - 1 });
      }
      return { records, holes, cutBytes: Math.max(0, used - offset), cutsRecords: next > 0 };
    }
    const sequence = recordSequence(bytes, next);
    if (sequence > expected) holes.push({ fromSequence: expected, toSequence: sequence - 1 });
    segment.skips.push({ from: offset, to: { sequence, offset: next } });
    offset = next;
    expected = sequence;
  }
}

/** The offset of the first intact record at or after `offset`, 0 if there is none. */
function nextIntact(
  bytes: Bytes,
  offset: number,
  used: number,
  sequences: { readonly from: number; readonly to: number; readonly seed: number },
): number {
  const limit = bytes.array.length;
  for (let at = offset; at < used; at++) {
    const end = recordEnd(bytes, at, limit);
    if (end === 0) continue;
    const sequence = recordSequence(bytes, at);
    if (
      sequence >= sequences.from &&
      sequence < sequences.to &&
      Number.isSafeInteger(sequence) &&
      isIntact(bytes, at, end, sequences.seed)
    ) {
      return at;
    }
  }
  return 0;
}

/** Whether an intact record at or after `offset` is the first of a commit. */
function hasLaterCommit(
  bytes: Bytes,
  offset: number,
  used: number,
  from: number,
  seed: number,
): boolean {
  let at = offset;
  let sequence = from;
  while (at > 0) {
    if (isFirstOfCommit(bytes, at)) return true;
    sequence = recordSequence(bytes, at) + 1;
    const end = recordEnd(bytes, at, bytes.array.length);
    at = nextIntact(bytes, end, used, { from: sequence, to: Number.POSITIVE_INFINITY, seed });
  }
  return false;
}

/**
 * Sequence of the first record of a segment whose header cannot be read; `undefined` when it holds
 * nothing that counts: zeros, or only parts of a first commit that never was synced.
 */
export function firstSequenceWithoutHeader(
  file: Uint8Array,
  seed: number,
  used = usedBytes(file),
): number | undefined {
  const bytes = bytesOf(file);
  const any = { from: 1, to: Number.POSITIVE_INFINITY, seed };
  const first = nextIntact(bytes, HEADER_BYTES, used, any);
  return first > 0 && hasLaterCommit(bytes, first, used, 1, seed)
    ? recordSequence(bytes, first)
    : undefined;
}

/** Bytes up to and with the last one that is not zero. */
export function usedBytes(file: Uint8Array): number {
  const words = new Uint32Array(file.buffer, file.byteOffset, file.length >>> 2);
  let end = file.length;
  while (end > words.length * 4 && file[end - 1] === 0) end--;
  if (end > words.length * 4) return end;
  let word = words.length;
  while (word > 0 && words[word - 1] === 0) word--;
  end = word * 4;
  while (end > 0 && file[end - 1] === 0) end--;
  return end;
}
