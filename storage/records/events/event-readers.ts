import type {
  EventReader,
  EventReaderRecords,
  EventSubscription,
} from "../../ports/events/event-readers.ts";
import type { Database } from "../sql/database.ts";
import { expireRows } from "../sql/expire.ts";

type StoredReader = {
  readonly sequence: number;
  readonly subscriptions: readonly EventSubscription[];
};

/** Places of readers of the outbox, in SQL. */
export class SqlEventReaderRecords implements EventReaderRecords {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async find(id: string): Promise<EventReader | undefined> {
    const [row] = await this.#database.query<StoredReader>(
      "SELECT sequence, subscriptions FROM event_readers WHERE id = $1",
      [id],
    );
    return row && toReader(row);
  }

  async open(id: string, atMs: number): Promise<EventReader> {
    // The newest event of this statement's snapshot: whatever commits after it has a higher sequence.
    const [row] = await this.#database.query<StoredReader>(
      `INSERT INTO event_readers (id, sequence, subscriptions, seen_at_ms)
       SELECT $1, value, '[]', $2 FROM counters WHERE name = 'event_sequence'
       ON CONFLICT (id) DO UPDATE SET seen_at_ms = excluded.seen_at_ms
       RETURNING sequence, subscriptions`,
      [id, Math.round(atMs)],
    );
    if (row === undefined) throw new Error("no event_sequence counter");
    return toReader(row);
  }

  async subscribe(id: string, subscriptions: readonly EventSubscription[]): Promise<void> {
    await this.#database.query("UPDATE event_readers SET subscriptions = $2 WHERE id = $1", [
      id,
      JSON.stringify(subscriptions),
    ]);
  }

  async advance(sequences: ReadonlyMap<string, number>, atMs: number): Promise<void> {
    if (sequences.size === 0) return;
    await this.#database.query(
      `UPDATE event_readers AS reader
       SET sequence = greatest(reader.sequence, moved.sequence), seen_at_ms = $3
       FROM unnest($1::text[], $2::bigint[]) AS moved (id, sequence)
       WHERE reader.id = moved.id`,
      [[...sequences.keys()], [...sequences.values()], Math.round(atMs)],
    );
  }

  async remove(id: string): Promise<void> {
    await this.#database.query("DELETE FROM event_readers WHERE id = $1", [id]);
  }

  async count(prefix: string): Promise<number> {
    const [row] = await this.#database.query<{ count: number }>(
      "SELECT count(*) AS count FROM event_readers WHERE starts_with(id, $1)",
      [prefix],
    );
    return row?.count ?? 0;
  }

  expire(beforeMs: number): Promise<boolean> {
    return expireRows(
      this.#database,
      { table: "event_readers", old: "aged.seen_at_ms < $1", order: "seen_at_ms" },
      [beforeMs],
    );
  }
}

const toReader = ({ sequence, subscriptions }: StoredReader): EventReader => ({
  sequence,
  subscriptions,
});
