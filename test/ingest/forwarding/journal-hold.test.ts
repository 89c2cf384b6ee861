import { expect, it } from "vitest";
import { createJournalHold } from "../../../ingest/forwarding/journal-hold.ts";
import type { JournalState } from "../../../storage/ports/journal.ts";

/** A journal of 1,000 records from sequence 101 on, and the place of its cursor. */
function journalOf(bytes: number, state: JournalState = "open") {
  const at = { sequence: 0 };
  const stats = { bytes, oldestSequence: 101, syncedSequence: 1_100 };
  const journal = {
    state,
    stats: () => ({ ...stats, segments: 1, commits: 0, freeBytes: 0 }),
    cursor: (name: string) => ({
      name,
      get sequence() {
        return at.sequence;
      },
      advance(sequence: number) {
        at.sequence = Math.max(at.sequence, sequence);
      },
    }),
  };
  return { at, journal };
}

it.each([
  ["what the slowest needs", 1_000, "open", 300, 300],
  ["nothing when nobody needs it", 1_000, "open", undefined, 1_100],
  ["no more than its size: a quarter of 4,000 bytes", 4_000, "open", 300, 101 + 750],
  ["what a fast one needs of a large journal", 4_000, "open", 1_050, 1_050],
  ["nothing when intake lacks room", 1_000, "full", 300, 1_100],
] as const)("the journal keeps %s for its forwarders", (_what, bytes, state, slowest, expected) => {
  const { at, journal } = journalOf(bytes, state);
  createJournalHold(journal, 1_000).follow(slowest);
  expect(at.sequence).toBe(expected);
});
