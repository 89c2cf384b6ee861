import { DomainError } from "../../domain/errors.ts";
import type { JournalRecord } from "../ports/journal.ts";
import { type JournalFiles, readFully } from "./files.ts";
import {
  type Bytes,
  bytesOf,
  claimedBytes,
  decodeRecord,
  isIntact,
  recordEnd,
  recordSequence,
} from "./record-codec.ts";
import type { Segment, Skip } from "./segment.ts";

/** One read of the disk, bytes. Large enough for full sequential speed; more would only take memory. */
const BLOCK_BYTES = 1024 ** 2;
/** Blocks kept, so that a reader that takes less than a block finds the rest in memory. */
const BLOCKS_KEPT = 4;

interface Block {
  readonly segment: Segment;
  readonly offset: number;
  readonly bytes: Bytes;
}

/** Reads records that are no longer in the memory tail. */
export class DiskReader {
  readonly #files: JournalFiles;
  readonly #seed: number;
  #blocks: Block[] = [];

  constructor(files: JournalFiles, seed: number) {
    this.#files = files;
    this.#seed = seed;
  }

  /**
   * Records of one segment in `[from, to]`, at least one unless there is none in it.
   * @throws DomainError `JOURNAL_CORRUPT` on damage that was not known at opening.
   */
  async read(
    segment: Segment,
    from: number,
    to: number,
    limit: { readonly records: number; readonly bytes: number },
  ): Promise<readonly JournalRecord[]> {
    const last = Math.min(to, segment.lastSequence);
    let { sequence, offset } = segment.seek(from);
    const records: JournalRecord[] = [];
    let bytes = 0;
    while (records.length === 0 && sequence <= last) {
      const skip = nextSkip(segment, offset);
      if (skip?.from === offset) {
        ({ sequence, offset } = skip.to);
        continue;
      }
      const block = await this.#block(segment, offset);
      const limitOffset = block.bytes.array.length;
      const stop = (nextSkip(segment, offset)?.from ?? Number.POSITIVE_INFINITY) - block.offset;
      let at = offset - block.offset;
      while (sequence <= last && at < stop) {
        const end = recordEnd(block.bytes, at, limitOffset);
        if (end === 0 || recordSequence(block.bytes, at) !== sequence) break;
        if (sequence >= from) {
          bytes += end - at;
          const isOver = bytes > limit.bytes || records.length >= limit.records;
          if (isOver && records.length > 0) return records;
          if (!isIntact(block.bytes, at, end, this.#seed)) break;
          records.push(decodeRecord(block.bytes, at, end));
        }
        at = end;
        sequence++;
      }
      const reached = block.offset + at;
      if (reached === offset) {
        throw corrupt(segment, sequence, offset);
      }
      offset = reached;
    }
    return records;
  }

  /** Forgets the blocks of a deleted segment. */
  forget(segment: Segment): void {
    this.#blocks = this.#blocks.filter((block) => block.segment !== segment);
  }

  /** A block that holds the whole record at `offset`, if the segment does. */
  async #block(segment: Segment, offset: number): Promise<Block> {
    const kept = this.#blocks.find((block) => block.segment === segment && holds(block, offset));
    if (kept !== undefined) return kept;
    let block = await this.#load(segment, offset, BLOCK_BYTES);
    const claimed = claimedBytes(block.bytes, 0, block.bytes.array.length);
    if (claimed > BLOCK_BYTES) block = await this.#load(segment, offset, claimed);
    this.#blocks = [block, ...this.#blocks].slice(0, BLOCKS_KEPT);
    return block;
  }

  async #load(segment: Segment, offset: number, bytes: number): Promise<Block> {
    // Nothing after the last synced record is read: it may be in the middle of being written.
    const buffer = new Uint8Array(Math.min(bytes, segment.end - offset));
    const file = await this.#files.open(segment.path, "r");
    try {
      const filled = await readFully(file, buffer, offset);
      return { segment, offset, bytes: bytesOf(buffer.subarray(0, filled)) };
    } finally {
      await file.close();
    }
  }
}

/** The first damage known from the opening at or after `offset`. */
function nextSkip(segment: Segment, offset: number): Skip | undefined {
  return segment.skips.find((skip) => skip.from >= offset);
}

function holds(block: Block, offset: number): boolean {
  const at = offset - block.offset;
  return at >= 0 && recordEnd(block.bytes, at, block.bytes.array.length) > 0;
}

function corrupt(segment: Segment, sequence: number, offset: number): DomainError {
  return new DomainError(
    "JOURNAL_CORRUPT",
    `record ${sequence} at byte ${offset} of ${segment.path} is damaged; the next start sets it aside`,
  );
}
