import { throwLater } from "./listeners.ts";
import { MARK_BYTES, type Mark } from "./segment.ts";
import type { Chunk } from "./tail.ts";

/** Called once per record: without argument when it is on disk. */
export type Done = (error?: Error) => void;

/** A `done` that throws is a bug of its owner and must not keep the others from being called. */
export function settle(done: Done, error?: Error): void {
  try {
    if (error === undefined) done();
    else done(error);
  } catch (thrown) {
    throwLater(thrown);
  }
}

interface Part {
  readonly chunk: Chunk;
  readonly start: number;
  end: number;
}

/** Records that are written and synced together. */
export class Batch {
  readonly firstSequence: number;
  readonly done: Done[] = [];
  newestMs = Number.NEGATIVE_INFINITY;
  bytes = 0;
  /** Places to start reading from; offsets are relative to the batch. */
  readonly marks: Mark[] = [];
  readonly #parts: Part[] = [];
  #part: Part | undefined;
  #nextMark = 0;

  constructor(firstSequence: number) {
    this.firstSequence = firstSequence;
  }

  get lastSequence(): number {
    return this.firstSequence + this.done.length - 1;
  }

  /** Notes the record that was just put into `chunk` from `start` on. */
  add(chunk: Chunk, start: number, sequence: number, timeMs: number, done: Done): void {
    if (this.bytes >= this.#nextMark) {
      this.marks.push({ sequence, offset: this.bytes });
      this.#nextMark = this.bytes + MARK_BYTES;
    }
    if (this.#part?.chunk === chunk) this.#part.end = chunk.used;
    else {
      this.#part = { chunk, start, end: chunk.used };
      this.#parts.push(this.#part);
    }
    this.bytes += chunk.used - start;
    if (timeMs > this.newestMs) this.newestMs = timeMs;
    this.done.push(done);
  }

  /** The encoded records, in order. */
  buffers(): Uint8Array[] {
    return this.#parts.map(({ chunk, start, end }) => chunk.bytes.array.subarray(start, end));
  }
}
