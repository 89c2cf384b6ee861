import { expect, it } from "vitest";
import { RecordAppender } from "../../../ingest/intake/record-appender.ts";
import type { Appended } from "../../../storage/ports/journal.ts";
import { range } from "../../support/journal.ts";
import { seededRandom } from "../../support/seeded-random.ts";

const record = (kind: number) => ({ kind, body: Uint8Array.of(kind) });

/** A journal that answers when it is told to, in any order. */
function openJournal() {
  const waiting = new Map<number, Appended>();
  const appender = new RecordAppender({
    append: (kind, _timeMs, _body, done) => void waiting.set(kind, done),
  });
  return {
    appender,
    answer(kind: number, error?: Error): void {
      waiting.get(kind)?.(error);
      waiting.delete(kind);
    },
  };
}

it("a message of several records is answered for when all of them are, in whatever order", () => {
  const { appender, answer } = openJournal();
  const answers: (readonly { readonly kind: number }[])[] = [];
  appender.append(record(3), [record(1), record(2)], 0, (refused) => answers.push(refused));
  answer(3);
  answer(1, new Error("refused"));
  expect(answers).toEqual([]);
  answer(2);
  expect(answers).toEqual([[record(1)]]);
});

it("records that are refused are named in the order in which they were given", () => {
  const { appender, answer } = openJournal();
  const answers: (readonly { readonly kind: number }[])[] = [];
  appender.append(record(3), [record(1), record(2)], 0, (refused) => answers.push(refused));
  for (const kind of [3, 2, 1]) answer(kind, new Error("refused"));
  expect(answers).toEqual([[record(1), record(2), record(3)]]);
});

it("who waits for all that was appended is called when the oldest of it is answered for, too", () => {
  const { appender, answer } = openJournal();
  const steps: string[] = [];
  const append = (kind: number) =>
    appender.append(record(kind), [], 0, () => steps.push(`answered ${kind}`));
  append(1);
  append(2);
  appender.whenAnswered(() => steps.push("all before"));
  append(3);
  answer(3);
  answer(2);
  answer(1);
  expect(steps).toEqual(["answered 3", "answered 2", "answered 1", "all before"]);
});

it("who waits is called at once when nothing is open, and after the answers of a journal that refuses at once", () => {
  const appender = new RecordAppender({
    append: (_kind, _timeMs, _body, done) => done(new Error("refused")),
  });
  const steps: string[] = [];
  appender.whenAnswered(() => steps.push("nothing before"));
  appender.append(record(2), [record(1)], 0, (refused) => steps.push(`${refused.length} refused`));
  appender.whenAnswered(() => steps.push("all before"));
  expect(steps).toEqual(["nothing before", "2 refused", "all before"]);
});

/** A run of 60 steps, drawn from the seed: messages, barriers, and answers in any order. */
class AppenderRun {
  /** Of each message, in the order of appends. */
  readonly isAnswered: boolean[] = [];
  /** Of each barrier, whether everything before it was answered for when it was called; one entry a call. */
  readonly calls: boolean[][] = [];
  /** What each barrier waits for: so many messages. */
  readonly #before: number[] = [];
  /** Barriers in the order of their calls. */
  readonly order: number[] = [];
  readonly #random: () => number;
  /** Records that the journal has not answered. */
  readonly #waiting: Appended[] = [];
  readonly #appender: RecordAppender;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
    this.#appender = new RecordAppender({
      append: (_kind, _timeMs, _body, done) => {
        if (this.#chance(0.1)) done(new Error("refused at once"));
        else this.#waiting.push(done);
      },
    });
  }

  /** What `calls` has to be now. */
  get due(): boolean[][] {
    return this.#before.map((before) => (this.#areAnswered(before) ? [true] : []));
  }

  step(): void {
    if (this.#chance(0.4)) this.#append();
    else if (this.#chance(0.3)) this.#wait();
    else this.answer();
  }

  /** Answers one record; false: there is none. */
  answer(): boolean {
    const i = Math.floor(this.#random() * this.#waiting.length);
    const [done] = this.#waiting.splice(i, 1);
    done?.(this.#chance(0.2) ? new Error("refused") : undefined);
    return done !== undefined;
  }

  #append(): void {
    const message = this.isAnswered.push(false) - 1;
    const more = this.#chance(0.3) ? [record(1), record(2)] : [];
    this.#appender.append(record(3), more, 0, () => {
      this.isAnswered[message] = true;
      if (this.#chance(0.1)) this.#wait();
    });
  }

  #wait(): void {
    const before = this.isAnswered.length;
    const barrier = this.#before.push(before) - 1;
    const calls: boolean[] = [];
    this.calls.push(calls);
    this.#appender.whenAnswered(() => {
      calls.push(this.#areAnswered(before));
      this.order.push(barrier);
      if (this.#chance(0.2)) this.#append();
    });
  }

  #areAnswered(before: number): boolean {
    return this.isAnswered.slice(0, before).every((is) => is);
  }

  #chance(share: number): boolean {
    return this.#random() < share;
  }
}

it("in 300 random orders of answers a barrier is called once, when the last message before it is answered for", () => {
  for (const seed of range(1, 300)) {
    const run = new AppenderRun(seed);
    for (const _ of range(1, 60)) {
      run.step();
      expect(run.calls, `seed ${seed}`).toEqual(run.due);
    }
    while (run.answer()) expect(run.calls, `seed ${seed}`).toEqual(run.due);
    expect(run.isAnswered).not.toContain(false);
    expect(run.order).toEqual(run.calls.map((_, barrier) => barrier));
    expect(run.calls.length).toBeGreaterThan(0);
  }
});
