import { DomainError } from "../../domain/errors.ts";
import type { FolderLock } from "../data-folder/folder-lock.ts";
import type {
  Journal,
  JournalCommit,
  JournalCursor,
  JournalRecord,
  JournalRecovery,
  JournalState,
  JournalStats,
} from "../ports/journal.ts";
import { Batch, type Done, settle } from "./batch.ts";
import type { Cursors } from "./cursors.ts";
import type { JournalFiles } from "./files.ts";
import { FreeSpace, isFullError } from "./free-space.ts";
import { Listeners } from "./listeners.ts";
import { RECORD_OVERHEAD } from "./record-codec.ts";
import type { RecoveredFolder } from "./recovery.ts";
import { SegmentChain, type SegmentHold } from "./segment-chain.ts";
import { recordRoom, SegmentWriter } from "./segment-writer.ts";
import { SpareSegments } from "./spare-segments.ts";
import { Tail } from "./tail.ts";
import { Waiters } from "./waiters.ts";

/**
 * Largest commit, bytes. It bounds what one sync can hold up, about 30,000 small records; smaller commits
 * mean more syncs.
 */
const BATCH_BYTES = 4 * 1024 ** 2;

/** Settings of a journal with every default filled in; see `JournalOptions`. */
export interface JournalLayout {
  readonly dir: string;
  readonly segmentBytes: number;
  readonly minFreeBytes: number | undefined;
  readonly keepMs: number;
  /** How often a journal that takes no records tries the disk again, ms. */
  readonly retryMs: number;
}

/**
 * The journal over a folder of segments.
 *
 * States: `open` takes records. A commit that finds too little space, or that the disk refuses for
 * want of space, turns it `full`; any other error of a write or a sync turns it `failed`. On the way
 * out of `open` every queued record gets its `done` with the error, and its sequence is free again:
 * none of them counts, and the next record continues after the last synced one. Once a second the
 * disk is tried; back to `open` when there is space and, after a failed write, a new segment with a
 * durable header (see `SegmentWriter`). One loop commits, so there is never more than one commit in
 * flight, and the records of all appends during it form the next one.
 *
 * A record reported as failed can only be found again when the process ends before that header was
 * written; like a crash between sync and `done` this repeats a record, and never loses one.
 */
export class SegmentedJournal implements Journal {
  readonly id: string;
  readonly recovery: JournalRecovery;
  readonly #keepMs: number;
  readonly #retryMs: number;
  readonly #maxRecordBytes: number;
  readonly #batchBytes: number;
  readonly #lock: FolderLock;
  readonly #cursors: Cursors;
  readonly #chain: SegmentChain;
  readonly #writer: SegmentWriter;
  readonly #space: FreeSpace;
  readonly #tail: Tail;
  readonly #waiters = new Waiters();
  readonly #stateListeners = new Listeners<JournalState>();
  readonly #commitListeners = new Listeners<JournalCommit>();
  #state: JournalState = "open";
  #error = new DomainError("STORE_UNAVAILABLE", "the journal is closed");
  #syncedSequence: number;
  #nextSequence: number;
  #queue: Batch[] = [];
  #gathering: Batch | undefined;
  #refused: Done[] = [];
  #isScheduled = false;
  #isCommitting = false;
  #committing: Promise<void> = Promise.resolve();
  #retryTimer: NodeJS.Timeout | undefined;
  #retrying: Promise<void> | undefined;
  #deleting: Promise<void> = Promise.resolve();
  #commits = 0;
  #isClosed = false;

  private constructor(
    layout: JournalLayout,
    folder: RecoveredFolder,
    parts: {
      readonly lock: FolderLock;
      readonly chain: SegmentChain;
      readonly writer: SegmentWriter;
      readonly space: FreeSpace;
    },
  ) {
    const { records, cutBytes, created, holes, passedHoles, setAside, remade } = folder;
    const newestSequence = folder.nextSequence - 1;
    this.id = folder.id;
    this.recovery = {
      records,
      cutBytes,
      created,
      holes,
      passedHoles,
      setAside,
      newestSequence,
      ...(remade.length === 0 ? {} : { remade }),
    };
    this.#keepMs = layout.keepMs;
    this.#retryMs = layout.retryMs;
    this.#maxRecordBytes = recordRoom(layout.segmentBytes);
    this.#batchBytes = Math.min(BATCH_BYTES, this.#maxRecordBytes);
    this.#lock = parts.lock;
    this.#cursors = folder.cursors;
    this.#chain = parts.chain;
    this.#writer = parts.writer;
    this.#space = parts.space;
    this.#tail = new Tail(folder.seed);
    this.#nextSequence = folder.nextSequence;
    this.#syncedSequence = newestSequence;
    this.#cursors.onDurable = () => this.#deletePassed();
  }

  static async open(
    layout: JournalLayout,
    folder: RecoveredFolder,
    files: JournalFiles,
    lock: FolderLock,
  ): Promise<SegmentedJournal> {
    const { dir, segmentBytes, minFreeBytes } = layout;
    const space = new FreeSpace(dir, files, minFreeBytes);
    const chain = new SegmentChain(dir, folder.segments, files, folder.seed);
    const spares = new SpareSegments(
      dir,
      files,
      space,
      segmentBytes,
      folder.nextOrdinal,
      folder.spare,
    );
    const newest = chain.newest;
    // Sequences that only the cursors remember leave a gap, and a gap needs a new segment.
    const goesOn = newest !== undefined && newest.lastSequence + 1 === folder.nextSequence;
    const active = goesOn
      ? { segment: newest, file: await files.open(newest.path, "r+") }
      : undefined;
    const writer = new SegmentWriter(dir, folder.id, chain, spares, active);
    const journal = new SegmentedJournal(layout, folder, { lock, chain, writer, space });
    try {
      await space.measure();
      if (space.lacks(0)) throw space.fullError();
      // Made now, so that the first record does not wait for 64 MiB of zeros.
      if (writer.isSpent) await writer.renew(folder.nextSequence);
      else spares.prepare();
    } catch (error) {
      journal.#stop(error, []);
    }
    return journal;
  }

  get state(): JournalState {
    return this.#state;
  }

  get syncedSequence(): number {
    return this.#syncedSequence;
  }

  get oldestSequence(): number {
    return this.#chain.oldestSequence ?? this.#syncedSequence + 1;
  }

  append(kind: number, timeMs: number, body: Uint8Array, done: Done): number {
    const bytes = RECORD_OVERHEAD + body.length;
    if (bytes > this.#maxRecordBytes)
      throw new RangeError(`a record of ${bytes} bytes is too large`);
    if (!(kind >= 1 && kind <= 255)) throw new RangeError(`record kind ${kind} is not 1 to 255`);
    if (this.#state !== "open" || this.#isClosed) {
      this.#refuse(done);
      return 0;
    }
    let batch = this.#gathering;
    if (batch === undefined || batch.bytes + bytes > this.#batchBytes) {
      batch = new Batch(this.#nextSequence);
      this.#gathering = batch;
      this.#queue.push(batch);
    }
    const sequence = this.#nextSequence++;
    const chunk = this.#tail.chunkFor(sequence, bytes);
    const start = chunk.used;
    this.#tail.append(chunk, sequence, timeMs, kind, batch.done.length === 0, body);
    batch.add(chunk, start, sequence, timeMs, done);
    if (!this.#isScheduled && !this.#isCommitting) this.#schedule();
    return sequence;
  }

  async read(
    fromSequence: number,
    limit: { readonly records: number; readonly bytes: number },
  ): Promise<readonly JournalRecord[]> {
    if (this.#isClosed) throw new DomainError("STORE_UNAVAILABLE", "the journal is closed");
    const from = Math.max(fromSequence, this.oldestSequence);
    const to = this.#syncedSequence;
    if (from > to) return [];
    return this.#tail.read(from, to, limit) ?? this.#chain.read(from, to, limit);
  }

  async waitFor(sequence: number, signal: AbortSignal): Promise<void> {
    if (this.#syncedSequence >= sequence || this.#isClosed) return;
    await this.#waiters.wait(sequence, signal);
  }

  async passOver(sequence: number): Promise<void> {
    if (!(sequence > this.#syncedSequence)) return;
    this.#syncedSequence = sequence;
    this.#nextSequence = sequence + 1;
    this.#tail.endChunk();
    this.#writer.retire();
    if (this.#state !== "open") return;
    try {
      await this.#writer.renew(this.#nextSequence);
    } catch (error) {
      this.#stop(error, []);
    }
  }

  cursor(name: string): JournalCursor {
    return this.#cursors.cursor(name, () => this.#syncedSequence);
  }

  /** Keeps every segment that is there, for a copy. */
  hold(): SegmentHold {
    return this.#chain.hold();
  }

  /** Forgets a reader that will not come back, so that no segment waits for it. */
  forgetCursor(name: string): void {
    this.#cursors.forget(name);
  }

  stats(): JournalStats {
    return {
      bytes: this.#chain.bytes,
      segments: this.#chain.count,
      syncedSequence: this.#syncedSequence,
      oldestSequence: this.oldestSequence,
      commits: this.#commits,
      freeBytes: this.#space.freeBytes,
    };
  }

  onState(listener: (state: JournalState) => void): void {
    this.#stateListeners.add(listener);
  }

  onCommit(listener: (commit: JournalCommit) => void): void {
    this.#commitListeners.add(listener);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#retryTimer);
    await this.#retrying;
    await this.#startCommitting();
    this.#answerRefused();
    this.#waiters.wake(Number.POSITIVE_INFINITY);
    try {
      // A full or failed disk may refuse; an older cursor is what the port allows after a crash.
      await this.#cursors.flush().catch(() => undefined);
      await this.#deleting;
      await this.#writer.close();
    } finally {
      await this.#lock.release();
    }
  }

  /** The turn of the event loop ends first: what one socket read brought in shares a commit. */
  #schedule(): void {
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      void this.#startCommitting();
    });
  }

  #startCommitting(): Promise<void> {
    if (!this.#isCommitting) {
      this.#isCommitting = true;
      this.#committing = this.#commitQueue();
    }
    return this.#committing;
  }

  async #commitQueue(): Promise<void> {
    for (;;) {
      const batch = this.#queue.shift();
      if (batch === undefined) {
        // In the same turn as the check of the queue: an append after it starts the next loop.
        this.#isCommitting = false;
        return;
      }
      if (batch === this.#gathering) this.#gathering = undefined;
      try {
        await this.#commit(batch);
      } catch (error) {
        this.#stop(error, [batch, ...this.#queue.splice(0)]);
      }
    }
  }

  async #commit(batch: Batch): Promise<void> {
    if (this.#space.isDue(batch.bytes)) await this.#space.measure();
    if (this.#space.lacks(0)) throw this.#space.fullError();
    const begin = performance.now();
    await this.#writer.write(batch);
    const durationMs = performance.now() - begin;
    this.#syncedSequence = batch.lastSequence;
    this.#tail.trim(this.#syncedSequence);
    this.#commits++;
    for (const done of batch.done) settle(done);
    this.#waiters.wake(this.#syncedSequence);
    this.#commitListeners.call({ durationMs, records: batch.done.length, bytes: batch.bytes });
  }

  /** Leaves `open`: nothing after the last synced record counts. */
  #stop(cause: unknown, batches: readonly Batch[]): void {
    const isFull = isFullError(cause);
    this.#error = isFull ? this.#space.fullError(cause) : unavailable(cause);
    this.#gathering = undefined;
    this.#nextSequence = this.#syncedSequence + 1;
    this.#tail.dropAfter(this.#syncedSequence);
    this.#setState(isFull ? "full" : "failed");
    for (const batch of batches) for (const done of batch.done) settle(done, this.#error);
    this.#retryLater();
  }

  #retryLater(): void {
    if (this.#isClosed) return;
    clearTimeout(this.#retryTimer);
    this.#retryTimer = setTimeout(() => {
      this.#retrying = this.#retry();
    }, this.#retryMs);
    this.#retryTimer.unref();
  }

  async #retry(): Promise<void> {
    try {
      await this.#space.measure();
      if (this.#space.lacks(0)) throw this.#space.fullError();
      if (this.#writer.isSpent) await this.#writer.renew(this.#nextSequence);
      this.#setState("open");
    } catch (error) {
      this.#error = isFullError(error) ? this.#space.fullError(error) : unavailable(error);
      this.#setState(isFullError(error) ? "full" : "failed");
      this.#retryLater();
    }
  }

  #setState(state: JournalState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#stateListeners.call(state);
  }

  /** Answers in a later turn, so that a caller that tries again at once does not recurse. */
  #refuse(done: Done): void {
    if (this.#refused.length === 0) setImmediate(() => this.#answerRefused());
    this.#refused.push(done);
  }

  #answerRefused(): void {
    const closed = new DomainError("STORE_UNAVAILABLE", "the journal is closed");
    const error = this.#isClosed ? closed : this.#error;
    for (const done of this.#refused.splice(0)) settle(done, error);
  }

  #deletePassed(): void {
    const passed = this.#cursors.slowestDurable;
    // What cannot be deleted now is tried again after the next move of a cursor.
    this.#deleting = this.#chain.delete(passed, this.#keepMs).catch(() => undefined);
  }
}

function unavailable(cause: unknown): DomainError {
  if (cause instanceof DomainError && cause.code === "STORE_UNAVAILABLE") return cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new DomainError("STORE_UNAVAILABLE", `the journal cannot be written: ${reason}`, {
    cause,
  });
}
