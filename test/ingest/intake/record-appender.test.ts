import { expect, it } from "vitest";
import { RecordAppender } from "../../../ingest/intake/record-appender.ts";
import type { Appended } from "../../../storage/ports/journal.ts";

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
