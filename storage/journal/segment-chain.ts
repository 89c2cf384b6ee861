import { unlink } from "node:fs/promises";
import { DomainError } from "../../domain/errors.ts";
import { syncFolder } from "../data-folder/sync-folder.ts";
import type { JournalRecord } from "../ports/journal.ts";
import { DiskReader } from "./disk-reader.ts";
import type { JournalFiles } from "./files.ts";
import type { Segment } from "./segment.ts";

/** Keeps segments on disk while they are copied. */
export interface SegmentHold {
  /** What is synced now: of each file its first `bytes`, which will not change any more. */
  synced(): readonly { readonly path: string; readonly bytes: number }[];
  /** Lets segments be deleted again. Calling it again does nothing. */
  release(): void;
}

/** The segments of one journal that are on disk, oldest first; the last one takes the records. */
export class SegmentChain {
  readonly #dir: string;
  readonly #segments: Segment[];
  readonly #reader: DiskReader;
  readonly #holds = new Set<SegmentHold>();
  #deleting: Promise<void> | undefined;

  constructor(dir: string, segments: readonly Segment[], files: JournalFiles, seed: number) {
    this.#dir = dir;
    this.#segments = [...segments];
    this.#reader = new DiskReader(files, seed);
  }

  get bytes(): number {
    return this.#segments.reduce((sum, segment) => sum + segment.capacity, 0);
  }

  get count(): number {
    return this.#segments.length;
  }

  get newest(): Segment | undefined {
    return this.#segments.at(-1);
  }

  /** Sequence of the oldest record; `undefined` while there is no segment. */
  get oldestSequence(): number | undefined {
    return this.#segments[0]?.firstSequence;
  }

  push(segment: Segment): void {
    this.#segments.push(segment);
  }

  /** No segment is deleted from now on until `release`. */
  hold(): SegmentHold {
    const hold: SegmentHold = {
      synced: () => this.#segments.map(({ path, end }) => ({ path, bytes: end })),
      release: () => void this.#holds.delete(hold),
    };
    this.#holds.add(hold);
    return hold;
  }

  /** Records in `[from, to]`, at least one if there is any. */
  async read(
    from: number,
    to: number,
    limit: { readonly records: number; readonly bytes: number },
  ): Promise<readonly JournalRecord[]> {
    for (;;) {
      const segment = this.#segments.find((candidate) => candidate.lastSequence >= from);
      if (segment === undefined || segment.firstSequence > to) return [];
      try {
        return await this.#reader.read(segment, from, to, limit);
      } catch (error) {
        // Deleted between the look-up and the read: go on with the oldest one now.
        if (this.#segments.includes(segment)) throw unavailable(error);
      }
    }
  }

  /** Deletes, from the oldest on, segments up to `passed` whose newest record is not in `keep`. */
  delete(passed: number, keepMs: number): Promise<void> {
    this.#deleting ??= this.#delete(passed, keepMs).finally(() => {
      this.#deleting = undefined;
    });
    return this.#deleting;
  }

  async #delete(passed: number, keepMs: number): Promise<void> {
    for (;;) {
      const oldest = this.#segments[0];
      if (oldest === undefined || this.#segments.length === 1) return;
      // A record from the future says that the clock was set back: it keeps nothing for long.
      const isYoung = Math.abs(Date.now() - oldest.newestMs) < keepMs;
      if (oldest.lastSequence > passed || isYoung || this.#holds.size > 0) return;
      this.#segments.shift();
      this.#reader.forget(oldest);
      // One by one: names that vanish out of order would look like a hole at the next start.
      await unlink(oldest.path);
      await syncFolder(this.#dir);
    }
  }
}

function unavailable(cause: unknown): Error {
  if (cause instanceof DomainError) return cause;
  return new DomainError("STORE_UNAVAILABLE", "the journal cannot be read", { cause });
}
