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
export function createEventReaderRecords(database: Database): EventReaderRecords {
  return {
    async find(id) {
      const [row] = await database.query<StoredReader>(
        "SELECT sequence, subscriptions FROM event_readers WHERE id = $1",
        [id],
      );
      return row && toReader(row);
    },

    async open(id, atMs) {
      // The newest event of this statement's snapshot: whatever commits after it has a higher sequence.
      const [row] = await database.query<StoredReader>(
        `INSERT INTO event_readers (id, sequence, subscriptions, seen_at_ms)
         SELECT $1, value, '[]', $2 FROM counters WHERE name = 'event_sequence'
         ON CONFLICT (id) DO UPDATE SET seen_at_ms = excluded.seen_at_ms
         RETURNING sequence, subscriptions`,
        [id, Math.round(atMs)],
      );
      if (row === undefined) throw new Error("no event_sequence counter");
      return toReader(row);
    },

    async subscribe(id, subscriptions) {
      await database.query("UPDATE event_readers SET subscriptions = $2 WHERE id = $1", [
        id,
        JSON.stringify(subscriptions),
      ]);
    },

    async advance(sequences, atMs) {
      if (sequences.size === 0) return;
      await database.query(
        `UPDATE event_readers AS reader
         SET sequence = greatest(reader.sequence, moved.sequence), seen_at_ms = $3
         FROM unnest($1::text[], $2::bigint[]) AS moved (id, sequence)
         WHERE reader.id = moved.id`,
        [[...sequences.keys()], [...sequences.values()], Math.round(atMs)],
      );
    },

    async remove(id) {
      await database.query("DELETE FROM event_readers WHERE id = $1", [id]);
    },

    async count(prefix) {
      const [row] = await database.query<{ count: number }>(
        "SELECT count(*) AS count FROM event_readers WHERE starts_with(id, $1)",
        [prefix],
      );
      return row?.count ?? 0;
    },

    expire: (beforeMs) =>
      expireRows(
        database,
        { table: "event_readers", old: "aged.seen_at_ms < $1", order: "seen_at_ms" },
        [beforeMs],
      ),
  };
}

const toReader = ({ sequence, subscriptions }: StoredReader): EventReader => ({
  sequence,
  subscriptions,
});
