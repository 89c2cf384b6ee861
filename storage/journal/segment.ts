import { join } from "node:path";
import { HEADER_BYTES } from "./segment-header.ts";

/**
 * Distance of two marks, bytes: what a reader that starts anywhere has to hop over at most. Closer marks
 * take more of each segment.
 */
export const MARK_BYTES = 64 * 1024;

const SEGMENT_NAME = /^journal-(\d{10})\.log$/;

export function segmentPath(dir: string, ordinal: number): string {
  return join(dir, `journal-${String(ordinal).padStart(10, "0")}.log`);
}

/** The ordinal in a segment's file name; `undefined` for any other file. */
export function segmentOrdinal(name: string): number | undefined {
  const digits = SEGMENT_NAME.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** A place in a segment from which reading can start. */
export interface Mark {
  /** Sequence of the record at `offset`, or of the next one when `offset` is the end. */
  readonly sequence: number;
  readonly offset: number;
}

/** Damaged bytes that were found at opening; reading goes on at `to`. */
export interface Skip {
  readonly from: number;
  readonly to: Mark;
}

/** What is known in memory of one segment file. Only synced records count. */
export class Segment {
  readonly ordinal: number;
  readonly path: string;
  /** Bytes of the file; it never grows. */
  readonly capacity: number;
  readonly firstSequence: number;
  /** `firstSequence - 1` while it holds no record. */
  lastSequence: number;
  /** Offset after the last record. */
  end = HEADER_BYTES;
  /** Latest time of a record, ms since the Unix epoch; `-Infinity` while it holds none. */
  newestMs = Number.NEGATIVE_INFINITY;
  readonly skips: Skip[] = [];
  readonly #marks: Mark[];

  constructor(dir: string, ordinal: number, capacity: number, firstSequence: number) {
    this.ordinal = ordinal;
    this.path = segmentPath(dir, ordinal);
    this.capacity = capacity;
    this.firstSequence = firstSequence;
    this.lastSequence = firstSequence - 1;
    this.#marks = [{ sequence: firstSequence, offset: HEADER_BYTES }];
  }

  /** Notes a place to start reading from; keeps one in `MARK_BYTES`. */
  mark(sequence: number, offset: number): void {
    const last = this.#marks.at(-1);
    if (last !== undefined && offset - last.offset >= MARK_BYTES) {
      this.#marks.push({ sequence, offset });
    }
  }

  /** The last mark at or before `sequence`. */
  seek(sequence: number): Mark {
    let low = 0;
    let high = this.#marks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((this.#marks[middle]?.sequence ?? 0) <= sequence) low = middle;
      else high = middle - 1;
    }
    return this.#marks[low] ?? { sequence: this.firstSequence, offset: HEADER_BYTES };
  }
}
