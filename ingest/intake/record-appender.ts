import type { Appended, JournalWriter } from "../../storage/ports/journal.ts";
import type { JournalBody } from "./decision.ts";

/** Nothing was refused. */
const NONE: readonly JournalBody[] = [];

/**
 * Appends the records of messages to the journal, and reports when all of them so far are answered for. A journal
 * of several partitions answers in any order.
 */
export class RecordAppender {
  readonly #journal: Pick<JournalWriter, "append">;
  /** Numbers of the messages whose records are not all answered for, oldest first. */
  readonly #open = new Set<number>();
  #next = 0;
  /** Who waits until everything before that number is answered for. */
  #barriers: { readonly before: number; readonly then: () => void }[] = [];

  constructor(journal: Pick<JournalWriter, "append">) {
    this.#journal = journal;
  }

  /** Calls `then` once all that was appended up to now is durable or refused. */
  whenAnswered(then: () => void): void {
    this.#barriers.push({ before: this.#next, then });
  }

  /**
   * Appends `more` and then `last`; `done` gets those of them that the journal refused, when it has
   * answered for all.
   */
  append(
    last: JournalBody,
    more: readonly JournalBody[],
    receivedAtMs: number,
    done: (refused: readonly JournalBody[]) => void,
  ): void {
    const number = this.#next;
    this.#next += 1;
    this.#open.add(number);
    const end = (refused: readonly JournalBody[]) => {
      this.#open.delete(number);
      done(refused);
      if (this.#barriers.length > 0) this.#passBarriers();
    };
    if (more.length === 0) {
      this.#journal.append(last.kind, receivedAtMs, last.body, (error) =>
        end(error === undefined ? NONE : [last]),
      );
      return;
    }
    const records = [...more, last];
    const refused = new Set<JournalBody>();
    let open = records.length;
    const answered =
      (record: JournalBody): Appended =>
      (error) => {
        if (error !== undefined) refused.add(record);
        open -= 1;
        if (open === 0) end(records.filter((one) => refused.has(one)));
      };
    for (const record of records) {
      this.#journal.append(record.kind, receivedAtMs, record.body, answered(record));
    }
  }

  #passBarriers(): void {
    const [oldest = this.#next] = this.#open;
    for (;;) {
      const [barrier] = this.#barriers;
      if (barrier === undefined || barrier.before > oldest) return;
      this.#barriers.shift();
      barrier.then();
    }
  }
}
