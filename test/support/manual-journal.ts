import { DomainError } from "../../domain/errors.ts";
import { decodeRecord, type JournalEntry } from "../../ingest/journal-record/journal-record.ts";
import type { Journal, JournalRecord, JournalState } from "../../storage/ports/journal.ts";

/** A journal in memory whose commits and states a test decides. */
export interface ManualJournal extends Journal {
  /** Records that are durable. */
  readonly records: readonly JournalRecord[];
  /** What the durable records hold. */
  entries(): readonly JournalEntry[];
  /** Makes everything appended so far durable and answers for it; `count`: the first of it alone. */
  commit(count?: number): void;
  /** Changes the state; leaving `open` refuses what is not durable yet. */
  become(state: JournalState): void;
}

export function manualJournal(initial: readonly JournalRecord[] = []): ManualJournal {
  const records = [...initial];
  let queued: { record: JournalRecord; done: (error?: Error) => void }[] = [];
  let state: JournalState = "open";
  const stateListeners: ((state: JournalState) => void)[] = [];
  const synced = (): number => records.length;
  return {
    id: "00000000-0000-4000-8000-000000000000",
    recovery: { records: initial.length, cutBytes: 0, created: initial.length === 0 },
    records,
    get state() {
      return state;
    },
    get syncedSequence() {
      return synced();
    },
    oldestSequence: 1,
    append(kind, timeMs, body, done) {
      if (state !== "open") {
        done(new DomainError("JOURNAL_FULL", "full"));
        return 0;
      }
      const sequence = synced() + queued.length + 1;
      queued.push({ record: { sequence, timeMs, kind, body: Uint8Array.from(body) }, done });
      return sequence;
    },
    read: async (from, { records: count }) => records.slice(Math.max(0, from - 1)).slice(0, count),
    waitFor: () => Promise.resolve(),
    passOver: () => Promise.resolve(),
    cursor: (name) => ({ name, sequence: 0, advance: () => undefined }),
    stats: () => ({
      bytes: 0,
      segments: 1,
      syncedSequence: synced(),
      oldestSequence: 1,
      commits: 0,
      freeBytes: 0,
    }),
    onState: (listener) => {
      stateListeners.push(listener);
    },
    onCommit: () => undefined,
    close: () => Promise.resolve(),
    entries: () => records.flatMap((record) => decodeRecord(record) ?? []),
    commit(count = queued.length) {
      const batch = queued.slice(0, count);
      queued = queued.slice(count);
      records.push(...batch.map(({ record }) => record));
      for (const { done } of batch) done();
    },
    become(next) {
      state = next;
      const refused = next === "open" ? [] : queued;
      if (next !== "open") queued = [];
      for (const listener of stateListeners) listener(next);
      for (const { done } of refused) done(new DomainError("JOURNAL_FULL", "full"));
    },
  };
}
