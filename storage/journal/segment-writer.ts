import { unlink } from "node:fs/promises";
import type { Batch } from "./batch.ts";
import { type JournalFile, writeFully } from "./files.ts";
import { Segment } from "./segment.ts";
import type { SegmentChain } from "./segment-chain.ts";
import { encodeHeader, HEADER_BYTES } from "./segment-header.ts";
import type { SpareSegments } from "./spare-segments.ts";

interface Active {
  readonly segment: Segment;
  readonly file: JournalFile;
}

/**
 * Writes batches to the newest segment and goes over to the next one when it is full.
 *
 * After a write or a sync that failed, nothing is ever written to that descriptor again: Linux reports a lost
 * page once and then takes it for clean, so that a second `fdatasync` would succeed. What the failed write
 * left in the file has the sequences that are given out next; `renew` makes that harmless with a new segment
 * whose header says, durably and before any record is taken, that its own first sequence is one of those.
 */
export class SegmentWriter {
  readonly #dir: string;
  readonly #journalId: string;
  readonly #chain: SegmentChain;
  readonly #spares: SpareSegments;
  #active: Active | undefined;
  #isSpent: boolean;

  /** `active` undefined: the first batch starts a segment. */
  constructor(
    dir: string,
    journalId: string,
    chain: SegmentChain,
    spares: SpareSegments,
    active: Active | undefined,
  ) {
    this.#dir = dir;
    this.#journalId = journalId;
    this.#chain = chain;
    this.#spares = spares;
    this.#active = active;
    this.#isSpent = active === undefined;
  }

  /** Whether nothing can be written before `renew`. */
  get isSpent(): boolean {
    return this.#isSpent;
  }

  /** Resolves when the batch is on disk. After an error `isSpent` says whether `renew` is due. */
  async write(batch: Batch): Promise<void> {
    let active = this.#active;
    // Until the sync below returns. Also when there is no next segment: then `renew` makes one.
    this.#isSpent = true;
    if (active === undefined || active.segment.end + batch.bytes > active.segment.capacity) {
      active = await this.#next(batch.firstSequence);
    }
    const { segment, file } = active;
    const isNew = segment !== this.#chain.newest;
    // The header goes along with the first batch: a new segment costs no sync of its own.
    const header = isNew ? [this.#header(segment)] : [];
    await writeFully(file, [...header, ...batch.buffers()], isNew ? 0 : segment.end);
    await file.datasync();
    this.#isSpent = false;
    if (isNew) this.#chain.push(segment);
    for (const { sequence, offset } of batch.marks) segment.mark(sequence, segment.end + offset);
    segment.end += batch.bytes;
    segment.lastSequence = batch.lastSequence;
    segment.newestMs = Math.max(segment.newestMs, batch.newestMs);
  }

  /** The newest segment takes no more: its sequences do not go on. */
  retire(): void {
    this.#isSpent = true;
  }

  /** Starts a new segment at `firstSequence` with a header that is on disk when this resolves. */
  async renew(firstSequence: number): Promise<void> {
    const { segment, file } = await this.#next(firstSequence);
    try {
      await writeFully(file, [this.#header(segment)], 0);
      await file.datasync();
    } catch (error) {
      this.#active = undefined;
      await file.close().catch(() => undefined);
      await unlink(segment.path).catch(() => undefined);
      throw error;
    }
    this.#chain.push(segment);
    this.#isSpent = false;
  }

  async close(): Promise<void> {
    await this.#active?.file.close();
    await this.#spares.close();
  }

  async #next(firstSequence: number): Promise<Active> {
    const { ordinal, capacity, file } = await this.#spares.take();
    // A descriptor that has failed may fail to close as well; it is gone either way.
    await this.#active?.file.close().catch(() => undefined);
    this.#active = { segment: new Segment(this.#dir, ordinal, capacity, firstSequence), file };
    this.#spares.prepare();
    return this.#active;
  }

  #header({ ordinal, firstSequence }: Segment): Uint8Array {
    return encodeHeader({ journalId: this.#journalId, ordinal, firstSequence });
  }
}

/** Bytes of records that fit into a segment of that size. */
export function recordRoom(segmentBytes: number): number {
  return segmentBytes - HEADER_BYTES;
}
