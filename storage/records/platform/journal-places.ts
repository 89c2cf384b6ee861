import type { JournalPlaces } from "../../ports/platform/journal-places.ts";
import type { Database } from "../sql/database.ts";

/** Places of followers of shared journals in SQL. */
export class SqlJournalPlaces implements JournalPlaces {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async find(journalId: string, reader: string): Promise<number> {
    const [row] = await this.#database.query<{ sequence: number }>(
      "SELECT sequence FROM journal_places WHERE journal_id = $1 AND reader = $2",
      [journalId, reader],
    );
    return row?.sequence ?? 0;
  }

  async advance(journalId: string, reader: string, sequence: number): Promise<void> {
    await this.#database.query(
      `INSERT INTO journal_places AS stored (journal_id, reader, sequence) VALUES ($1, $2, $3)
       ON CONFLICT (journal_id, reader) DO UPDATE SET sequence = excluded.sequence
       WHERE stored.sequence < excluded.sequence`,
      [journalId, reader, sequence],
    );
  }
}
