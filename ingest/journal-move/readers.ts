import { DomainError } from "../../domain/errors.ts";
import type { ReaderPlaces } from "../../storage/migration/journal-home.ts";
import type { Journal } from "../../storage/ports/journal.ts";
import type { RecordStore } from "../../storage/ports/record-store.ts";

/**
 * Places of the readers of a journal; `archived`: up to where the archive has everything.
 * @throws DomainError `MIGRATION_FAILED` when the record store belongs to another journal, or records are missing.
 */
export async function readPlaces(
  journal: Pick<Journal, "id" | "oldestSequence" | "syncedSequence" | "recovery">,
  records: Pick<RecordStore, "pipeline" | "forwarders">,
  archived: number,
): Promise<ReaderPlaces> {
  const checkpoint = await records.pipeline.checkpoint();
  if (checkpoint !== undefined && checkpoint.journalId !== journal.id) {
    throw failed(
      `the record store goes on in another journal (${checkpoint.journalId}) than that of this data folder (${journal.id}): is it the right folder, and the right DATABASE_URL?`,
    );
  }
  if (checkpoint === undefined && journal.syncedSequence >= journal.oldestSequence) {
    throw failed(
      "the record store has processed nothing of this journal: is DATABASE_URL the right one? If it is, start the service on it once, then try again",
    );
  }
  const oldest = journal.oldestSequence - 1;
  const processed = Math.min(checkpoint?.sequence ?? oldest, journal.syncedSequence);
  if ((journal.recovery.holes ?? []).length > 0 || processed < oldest) {
    throw failed(
      "the journal lacks records that were not processed: start the service on it once, so that it reports the gap, then try again",
    );
  }
  const active = new Set(
    (await records.forwarders.list())
      .filter(({ status }) => status === "active")
      .map(({ id }) => id),
  );
  const forwarders = (await records.forwarders.progress()).filter(
    ({ journalId }) => journalId === journal.id,
  );
  const waiting = forwarders.filter(({ forwarderId }) => active.has(forwarderId));
  const places = [processed, archived, ...waiting.map(({ sequence }) => sequence)];
  return { processed, archived, forwarders, passed: Math.max(oldest, Math.min(...places)) };
}

const failed = (message: string): DomainError => new DomainError("MIGRATION_FAILED", message);
