import type { JournalRecord } from "../ports/journal.ts";
import { type Bytes, bytesOf, decodeRecord, encodeRecord, recordEnd } from "./record-codec.ts";

/**
 * Synced records kept in memory for readers that keep up, bytes. More is memory; with less, readers that
 * pause briefly go to the disk.
 */
const TAIL_BYTES = 8 * 1024 ** 2;
/**
 * Memory is taken in pieces of this size; a larger record gets one of its own. Larger pieces free memory
 * later; smaller ones are allocated more often.
 */
const CHUNK_BYTES = 512 * 1024;
/** Every so many records their offset is noted, so that a reader can start anywhere. Power of 2. */
const INDEX_EVERY = 64;

/** A run of consecutive records in memory, in the form they have on disk. */
export interface Chunk {
  readonly bytes: Bytes;
  readonly firstSequence: number;
  /** Offsets of the records with number 0, 64, 128, ... in this chunk. */
  readonly index: number[];
  records: number;
  used: number;
}

/** The records of `[from, to]`, all of them. */
interface WholeRead {
  readonly from: number;
  readonly to: number;
  readonly records: readonly JournalRecord[];
  readonly bytes: number;
}

/**
 * The newest records, encoded once: what a commit writes and what readers at the tail get is the
 * same memory. A chunk is never reused, so the bodies handed out stay as they are for as long as a
 * reader keeps them (and keep their 512 KiB alive).
 */
export class Tail {
  readonly #seed: number;
  #chunks: Chunk[] = [];
  #current: Chunk | undefined;
  #bytes = 0;
  /** What was read last: after a commit each reader asks for the same records, and one makes them for all. */
  #last: WholeRead | undefined;

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** The chunk that takes the next record of `bytes`. */
  chunkFor(sequence: number, bytes: number): Chunk {
    const current = this.#current;
    if (current !== undefined && current.used + bytes <= current.bytes.array.length) return current;
    const memory = new Uint8Array(Math.max(CHUNK_BYTES, bytes));
    const chunk = {
      bytes: bytesOf(memory),
      firstSequence: sequence,
      index: [],
      records: 0,
      used: 0,
    };
    this.#chunks.push(chunk);
    this.#current = chunk;
    return chunk;
  }

  append(
    chunk: Chunk,
    sequence: number,
    timeMs: number,
    kind: number,
    firstOfCommit: boolean,
    body: Uint8Array,
  ): void {
    const at = chunk.used;
    if ((chunk.records & (INDEX_EVERY - 1)) === 0) chunk.index.push(at);
    chunk.used = encodeRecord(
      chunk.bytes,
      at,
      sequence,
      timeMs,
      kind,
      firstOfCommit,
      body,
      this.#seed,
    );
    chunk.records++;
    this.#bytes += chunk.used - at;
  }

  /** The next record does not follow the last one: chunks count on consecutive sequences. */
  endChunk(): void {
    this.#current = undefined;
  }

  /** Forgets every record after `sequence`: they were not written. */
  dropAfter(sequence: number): void {
    this.#last = undefined;
    this.#chunks = this.#chunks.filter((chunk) => chunk.firstSequence <= sequence);
    const last = this.#chunks.at(-1);
    if (last !== undefined) last.records = sequence - last.firstSequence + 1;
    this.#current = undefined;
    this.#bytes = this.#chunks.reduce((sum, chunk) => sum + chunk.used, 0);
  }

  /** Lets go of the oldest synced chunks beyond the size kept. */
  trim(syncedSequence: number): void {
    for (;;) {
      const oldest = this.#chunks[0];
      if (oldest === undefined || oldest === this.#current) return;
      if (this.#bytes - oldest.used < TAIL_BYTES) return;
      if (oldest.firstSequence + oldest.records - 1 > syncedSequence) return;
      this.#chunks.shift();
      this.#bytes -= oldest.used;
    }
  }

  /** Records in `[from, to]`, at least one; `undefined` when `from` is not in memory any more. */
  read(
    from: number,
    to: number,
    limit: { readonly records: number; readonly bytes: number },
  ): readonly JournalRecord[] | undefined {
    const last = this.#last;
    const isSame =
      last?.from === from &&
      last.to === to &&
      last.records.length <= limit.records &&
      last.bytes <= limit.bytes;
    if (isSame) return last.records;
    return this.#readChunks(from, to, limit);
  }

  #readChunks(
    from: number,
    to: number,
    limit: { readonly records: number; readonly bytes: number },
  ): readonly JournalRecord[] | undefined {
    let i = this.#chunks.length - 1;
    while (i > 0 && (this.#chunks[i]?.firstSequence ?? 0) > from) i--;
    const records: JournalRecord[] = [];
    let bytes = 0;
    let next = from;
    for (; i < this.#chunks.length && next <= to; i++) {
      const chunk = this.#chunks[i];
      if (chunk === undefined || next < chunk.firstSequence) break;
      let offset = seek(chunk, next);
      const last = Math.min(to, chunk.firstSequence + chunk.records - 1);
      for (; next <= last; next++) {
        const end = recordEnd(chunk.bytes, offset, chunk.used);
        bytes += end - offset;
        const isOver = bytes > limit.bytes || records.length >= limit.records;
        if (isOver && records.length > 0) return records;
        records.push(decodeRecord(chunk.bytes, offset, end));
        offset = end;
      }
    }
    if (records.length === 0) return undefined;
    if (next > to) this.#last = { from, to, records, bytes };
    return records;
  }
}

function seek(chunk: Chunk, sequence: number): number {
  const number = sequence - chunk.firstSequence;
  let offset = chunk.index[Math.floor(number / INDEX_EVERY)] ?? 0;
  for (let skip = number % INDEX_EVERY; skip > 0; skip--) {
    offset = recordEnd(chunk.bytes, offset, chunk.used);
  }
  return offset;
}
