import type { JournalWriter } from "../../storage/ports/journal.ts";

/**
 * Appends one record and resolves once it is on disk.
 * @throws DomainError `JOURNAL_FULL` or `STORE_UNAVAILABLE`: it is not in the journal.
 */
export function appendDurably(
  journal: Pick<JournalWriter, "append">,
  kind: number,
  timeMs: number,
  body: Uint8Array,
): Promise<void> {
  return new Promise((resolve, reject) => {
    journal.append(kind, timeMs, body, (error) => {
      if (error === undefined) resolve();
      else reject(error);
    });
  });
}
