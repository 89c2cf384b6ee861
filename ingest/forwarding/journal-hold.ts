import type { Journal } from "../../storage/ports/journal.ts";

/** The cursor that keeps records for receivers that are away. */
const FORWARDING_CURSOR = "forwarding";
/** Size of the journal up to which it does so, bytes. Chosen: some 5 million readings. */
const HELD_BYTES = 1024 ** 3;

/** Keeps segments of the journal for forwarders that are behind, within limits. */
export interface JournalHold {
  /**
   * Keeps what lies behind `slowest`, the last record that every forwarder has dealt with; `undefined`:
   * nobody needs any. Never goes back.
   */
  follow(slowest: number | undefined): void;
}

/**
 * A receiver that is away for weeks must not fill the disk: the hold ends where the journal is larger
 * than `heldBytes`, and wholly when intake lacks room. Forwarders read where they are all the same, for
 * as long as the records are there; their places are in the record store.
 */
export function createJournalHold(
  journal: Pick<Journal, "cursor" | "stats" | "state">,
  heldBytes = HELD_BYTES,
): JournalHold {
  const cursor = journal.cursor(FORWARDING_CURSOR);
  return {
    follow(slowest) {
      const { bytes, oldestSequence, syncedSequence } = journal.stats();
      const records = syncedSequence - oldestSequence + 1;
      // Records are taken as equally large: it is a limit for the disk, not a promise.
      const excess = Math.ceil(records * (1 - heldBytes / bytes));
      const floor = bytes > heldBytes ? oldestSequence + excess : 0;
      const isKept = slowest !== undefined && journal.state !== "full";
      cursor.advance(isKept ? Math.max(slowest, floor) : syncedSequence);
    },
  };
}
