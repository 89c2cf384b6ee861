import type { Journal } from "../../storage/ports/journal.ts";
import type { JournalBody } from "./decision.ts";

/** Nothing was refused. */
const NONE: readonly JournalBody[] = [];

/** Appends the records of messages to the journal, and reports when all of them so far are answered for. */
export class RecordAppender {
  readonly #journal: Pick<Journal, "append">;
  /** Appends that were made, and those whose `done` was called; it is called in order. */
  #appended = 0;
  #done = 0;
  /** Who waits until everything appended before is answered for. */
  #barriers: { readonly appended: number; readonly then: () => void }[] = [];

  constructor(journal: Pick<Journal, "append">) {
    this.#journal = journal;
  }

  /** Calls `then` once all that was appended up to now is durable or refused. */
  whenAnswered(then: () => void): void {
    this.#barriers.push({ appended: this.#appended, then });
  }

  /**
   * Appends `more` and then `last`; `done` gets those of them that the journal refused, when it has
   * answered for all: it does so in order.
   */
  append(
    last: JournalBody,
    more: readonly JournalBody[],
    receivedAtMs: number,
    done: (refused: readonly JournalBody[]) => void,
  ): void {
    const refused = more.length === 0 ? NONE : this.#appendMore(more, receivedAtMs);
    this.#appended += 1;
    this.#journal.append(last.kind, receivedAtMs, last.body, (error) => {
      this.#done += 1;
      done(error === undefined ? refused : [...refused, last]);
      if (this.#barriers.length > 0) this.#passBarriers();
    });
  }

  /** Yields those refused, complete when a record behind them is answered for. */
  #appendMore(more: readonly JournalBody[], receivedAtMs: number): readonly JournalBody[] {
    const refused: JournalBody[] = [];
    for (const record of more) {
      this.#appended += 1;
      this.#journal.append(record.kind, receivedAtMs, record.body, (error) => {
        this.#done += 1;
        if (error !== undefined) refused.push(record);
      });
    }
    return refused;
  }

  #passBarriers(): void {
    while ((this.#barriers[0]?.appended ?? Number.POSITIVE_INFINITY) <= this.#done) {
      this.#barriers.shift()?.then();
    }
  }
}
