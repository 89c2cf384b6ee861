import { basename } from "node:path";
import type { NewEvent } from "../../domain/events/events.ts";
import type { Journal, JournalPosition } from "../../storage/ports/journal.ts";
import { eventId } from "./event-id.ts";

/** Where a reader of the journal begins, and the gap it found, if any. */
export interface JournalStart {
  readonly sequence: number;
  readonly gap: NewEvent | undefined;
}

/** What is asked of a journal. */
type JournalEnds = Pick<Journal, "id" | "syncedSequence" | "oldestSequence" | "recovery">;

/**
 * The first record a reader with that checkpoint has to read. A checkpoint of another journal, one
 * past the journal's end, or one whose successor is gone means that records may be missing. Nothing
 * that is there is skipped, and the gap is raised.
 */
export function startingSequence(
  journal: JournalEnds,
  checkpoint: JournalPosition | undefined,
  reader: string,
): JournalStart {
  if (checkpoint === undefined) return { sequence: journal.oldestSequence, gap: undefined };
  const cause = gapCause(journal, checkpoint);
  if (cause === undefined) return { sequence: checkpoint.sequence + 1, gap: undefined };
  return {
    sequence: journal.oldestSequence,
    gap: {
      id: eventId(
        "ingest.journal_gap",
        reader,
        journal.id,
        checkpoint.journalId,
        checkpoint.sequence,
      ),
      revision: 1,
      type: "ingest.journal_gap",
      projectId: undefined,
      assetId: undefined,
      occurredAtMs: Date.now(),
      cause,
      data: {
        reader,
        checkpoint_journal: checkpoint.journalId,
        checkpoint_sequence: checkpoint.sequence,
        journal: journal.id,
        oldest_sequence: journal.oldestSequence,
        newest_sequence: newestSequence(journal),
      },
    },
  };
}

/** The event of records that recovery found damaged; `undefined` for a sound journal. */
export function damageEvent(journal: Pick<Journal, "id" | "recovery">): NewEvent | undefined {
  const { holes = [], setAside = [] } = journal.recovery;
  if (holes.length === 0 && setAside.length === 0) return undefined;
  return {
    id: eventId("ingest.journal_gap", "damage", journal.id, JSON.stringify(holes), ...setAside),
    revision: 1,
    type: "ingest.journal_gap",
    projectId: undefined,
    assetId: undefined,
    occurredAtMs: Date.now(),
    cause: "records_damaged",
    data: {
      journal: journal.id,
      missing: holes.map(({ fromSequence, toSequence }) => [fromSequence, toSequence]),
      // Names only: the path of the data folder must not leave the service.
      set_aside: setAside.map((path) => basename(path)),
    },
  };
}

function gapCause(journal: JournalEnds, checkpoint: JournalPosition): string | undefined {
  if (checkpoint.journalId !== journal.id) return "other_journal";
  if (checkpoint.sequence > newestSequence(journal)) return "checkpoint_past_end";
  if (checkpoint.sequence + 1 < journal.oldestSequence) return "records_missing";
  return undefined;
}

/** As the journal was found, before it learned of the stores' places. */
const newestSequence = (journal: Pick<Journal, "syncedSequence" | "recovery">): number =>
  journal.recovery.newestSequence ?? journal.syncedSequence;
