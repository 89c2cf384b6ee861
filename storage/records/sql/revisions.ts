import type { Database, Queryable } from "./database.ts";

/** The counters that followers poll by. */
type RevisionCounter = "asset_revision" | "geofence_revision" | "maintenance_revision";

/**
 * Runs one change that followers get; every row it writes gets a revision of its own. The counter's row is
 * locked first, until the transaction ends: revisions become visible in order, so a follower that asks for `>
 * last` misses none, and two changes cannot wait for each other. It also keeps every other change out: what
 * `change` reads stays as it is until it is done.
 */
export function changeWithRevisions<T>(
  database: Database,
  counter: RevisionCounter,
  change: (transaction: Queryable, nextRevision: () => number) => Promise<T>,
): Promise<T> {
  return database.transaction(async (transaction) => {
    const [row] = await transaction.query<{ value: number }>(
      "SELECT value FROM counters WHERE name = $1 FOR UPDATE",
      [counter],
    );
    if (row === undefined) throw new Error(`the counter ${counter} is missing`);
    let revision = row.value;
    const result = await change(transaction, () => {
      revision += 1;
      return revision;
    });
    await transaction.query("UPDATE counters SET value = $2 WHERE name = $1", [counter, revision]);
    return result;
  });
}
