import { describe, expect, it } from "vitest";
import { damageEvent, startingSequence } from "../../../ingest/events/journal-gap.ts";

const recovery = { records: 100, cutBytes: 0, created: false };
const journal = { id: "journal-a", oldestSequence: 40, syncedSequence: 139, recovery };

describe("a reader of the journal", () => {
  it("a reader without a checkpoint begins at the oldest record, which is not a gap", () => {
    expect(startingSequence(journal, undefined, "records")).toEqual({
      sequence: 40,
      gap: undefined,
    });
  });

  it.each([
    39, 40, 100, 139,
  ])("a reader of the journal goes on after its checkpoint %i", (sequence) => {
    const start = startingSequence(journal, { journalId: "journal-a", sequence }, "records");
    expect(start).toEqual({ sequence: sequence + 1, gap: undefined });
  });

  it.each([
    ["other_journal", { journalId: "journal-b", sequence: 100 }],
    ["checkpoint_past_end", { journalId: "journal-a", sequence: 140 }],
    ["records_missing", { journalId: "journal-a", sequence: 38 }],
  ])("a reader of the journal skips nothing and raises a gap: %s", (cause, checkpoint) => {
    const { sequence, gap } = startingSequence(journal, checkpoint, "records");
    expect(sequence).toBe(40);
    expect(gap).toMatchObject({ type: "ingest.journal_gap", cause });
  });

  it("a reader of the journal raises the same gap under the same id at every start", () => {
    const checkpoint = { journalId: "journal-b", sequence: 100 };
    const [first, second] = [1, 2].map(() => startingSequence(journal, checkpoint, "records").gap);
    expect(first?.id).toBe(second?.id);
  });
});

describe("damage that recovery found", () => {
  it("damage that recovery found is an event that names the missing sequences and the file, not the folder", () => {
    const damaged = {
      id: "journal-a",
      recovery: {
        ...recovery,
        holes: [{ fromSequence: 50, toSequence: 52 }],
        setAside: ["/var/lib/plumbline/journal/damaged-1"],
      },
    };
    expect(damageEvent(damaged)).toMatchObject({
      cause: "records_damaged",
      data: { missing: [[50, 52]], set_aside: ["damaged-1"] },
    });
  });

  it("damage that recovery found is none in a sound journal", () => {
    expect(damageEvent({ id: "journal-a", recovery: { ...recovery, holes: [] } })).toBeUndefined();
  });
});
