import type { Appended, JournalWriter } from "../../storage/ports/journal.ts";
import type { JournalBody } from "./decision.ts";

/** Nothing was refused. */
const NONE: readonly JournalBody[] = [];

/** The messages between two barriers. */
interface Epoch {
  /** How many of them have records that are not all answered for. */
  open: number;
  /** Called when they and all older ones are answered for; `undefined`: nobody waits for the newest epoch. */
  barrier: (() => void) | undefined;
}

/**
 * Appends the records of messages to the journal, and reports when all of them so far are answered for. A journal
 * of several partitions answers in any order, so the open messages of each epoch are counted. A set of their
 * numbers would do as well and cost every message more, though few have somebody waiting.
 */
export class RecordAppender {
  readonly #journal: Pick<JournalWriter, "append">;
  #newest: Epoch = { open: 0, barrier: undefined };
  /** Oldest first; the last is `#newest`. */
  readonly #epochs = [this.#newest];

  constructor(journal: Pick<JournalWriter, "append">) {
    this.#journal = journal;
  }

  /** Calls `then` once all that was appended up to now is durable or refused; at once when it is. */
  whenAnswered(then: () => void): void {
    if (this.#epochs.length === 1 && this.#newest.open === 0) {
      then();
      return;
    }
    this.#newest.barrier = then;
    this.#newest = { open: 0, barrier: undefined };
    this.#epochs.push(this.#newest);
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
    const epoch = this.#newest;
    epoch.open += 1;
    if (more.length === 0) {
      this.#journal.append(last.kind, receivedAtMs, last.body, (error) =>
        this.#end(epoch, error === undefined ? NONE : [last], done),
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
        if (open > 0) return;
        this.#end(
          epoch,
          records.filter((one) => refused.has(one)),
          done,
        );
      };
    for (const record of records) {
      this.#journal.append(record.kind, receivedAtMs, record.body, answered(record));
    }
  }

  #end(
    epoch: Epoch,
    refused: readonly JournalBody[],
    done: (refused: readonly JournalBody[]) => void,
  ): void {
    epoch.open -= 1;
    done(refused);
    if (this.#epochs.length > 1) this.#passBarriers();
  }

  #passBarriers(): void {
    for (;;) {
      const [oldest] = this.#epochs;
      if (oldest?.barrier === undefined || oldest.open > 0) return;
      this.#epochs.shift();
      oldest.barrier();
    }
  }
}
