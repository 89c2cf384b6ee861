import { DomainError } from "../../domain/errors.ts";
import type { JournalReader, JournalRecord } from "../../storage/ports/journal.ts";
import { markOf, type Outgoing, recordsOf } from "./outgoing.ts";

/**
 * Records whose marks are remembered. A batch that a killed run had in flight may come to the log behind those of
 * the next run; more remember longer batches, fewer take less memory.
 */
const REMEMBERED = 50_000;
/** How long a record that was acknowledged may take to be readable, ms. Longer delays an error; shorter calls slow brokers one. */
const READABLE_MS = 30_000;

/** Follows what a journal holds of the records that move into it, in their order. */
export class Walk {
  readonly #source: JournalReader;
  readonly #name: string;
  readonly #isComplete: boolean;
  #records: AsyncGenerator<JournalRecord>;
  readonly #remembered = new Set<string>();
  /** The last record that was read, found or passed over. */
  #read: number;
  /** The last record that was found; the journal's end of before at first. */
  place: number;

  /**
   * From behind `begin` on. `isComplete`: every record was acknowledged, and one that cannot be read yet is waited
   * for; else the walk ends where the journal ends now.
   */
  constructor(options: {
    readonly source: JournalReader;
    /** For errors. */
    readonly name: string;
    readonly begin: number;
    readonly isComplete: boolean;
  }) {
    const { source, name, begin, isComplete } = options;
    this.#source = source;
    this.#name = name;
    this.#read = begin;
    this.#isComplete = isComplete;
    this.place = begin;
    this.#records = recordsOf(source, begin, source.syncedSequence);
  }

  /**
   * Whether the journal has this one next. Repetitions of earlier ones are passed over.
   * @throws DomainError `MIGRATION_FAILED` when it has something else.
   */
  async has(expected: Outgoing): Promise<boolean> {
    const wanted = markOf(expected);
    for (;;) {
      const found = await this.#next();
      if (found === undefined) {
        if (this.#isComplete) throw this.#differs(this.place + 1);
        return false;
      }
      const mark = markOf(found);
      if (mark === wanted) {
        this.place = found.sequence;
        this.#remember(mark);
        return true;
      }
      if (!this.#remembered.has(mark)) throw this.#differs(found.sequence);
    }
  }

  /** @throws DomainError `MIGRATION_FAILED` when something else follows. */
  async end(): Promise<void> {
    for await (const record of this.#records) {
      if (!this.#remembered.has(markOf(record))) throw this.#differs(record.sequence);
    }
  }

  async #next(): Promise<JournalRecord | undefined> {
    let found = (await this.#records.next()).value;
    if (found === undefined && this.#isComplete) {
      await this.#source.waitFor(this.#read + 1, AbortSignal.timeout(READABLE_MS));
      this.#records = recordsOf(this.#source, this.#read, this.#source.syncedSequence);
      found = (await this.#records.next()).value;
    }
    if (found !== undefined) this.#read = found.sequence;
    return found;
  }

  #remember(mark: string): void {
    this.#remembered.add(mark);
    if (this.#remembered.size <= REMEMBERED) return;
    const [oldest] = this.#remembered;
    if (oldest !== undefined) this.#remembered.delete(oldest);
  }

  #differs(sequence: number): DomainError {
    return new DomainError(
      "MIGRATION_FAILED",
      `${this.#name} holds something else at record ${sequence}: somebody wrote to it during the move`,
    );
  }
}
