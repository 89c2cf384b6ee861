import type { StrandedRecord, StrandedRecords } from "../../ports/equipment/stranded.ts";
import type { Database, Queryable } from "../sql/database.ts";

type StoredRecord = {
  readonly journal_id: string;
  readonly sequence: number;
  readonly shard: number;
  readonly kind: number;
  readonly body: Uint8Array;
};

/** Records that wait for the owner of their shard, in SQL. */
export class SqlStrandedRecords implements StrandedRecords {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  add(records: readonly StrandedRecord[]): Promise<void> {
    return insertStranded(this.#database, records);
  }

  async ofShards(shards: readonly number[], limit: number): Promise<readonly StrandedRecord[]> {
    const rows = await this.#database.query<StoredRecord>(
      `SELECT journal_id, sequence, shard, kind, body FROM stranded_records
       WHERE shard = ANY ($1::int[]) ORDER BY journal_id, sequence LIMIT $2`,
      [shards, limit],
    );
    return rows.map((row) => ({
      journalId: row.journal_id,
      sequence: row.sequence,
      shard: row.shard,
      record: { kind: row.kind, body: row.body },
    }));
  }

  async delete(records: readonly Pick<StrandedRecord, "journalId" | "sequence">[]): Promise<void> {
    if (records.length === 0) return;
    await this.#database.query(
      `DELETE FROM stranded_records WHERE (journal_id, sequence) IN
         (SELECT * FROM unnest($1::text[], $2::bigint[]))`,
      [records.map(({ journalId }) => journalId), records.map(({ sequence }) => sequence)],
    );
  }
}

/** Puts records aside for the owners of their shards. */
export async function insertStranded(
  queryable: Queryable,
  records: readonly StrandedRecord[],
): Promise<void> {
  if (records.length === 0) return;
  await queryable.query(
    `INSERT INTO stranded_records (journal_id, sequence, shard, kind, body)
     SELECT * FROM unnest($1::text[], $2::bigint[], $3::int[], $4::smallint[], $5::bytea[])
     ON CONFLICT (journal_id, sequence) DO NOTHING`,
    [
      records.map(({ journalId }) => journalId),
      records.map(({ sequence }) => sequence),
      records.map(({ shard }) => shard),
      records.map(({ record }) => record.kind),
      records.map(({ record }) => record.body),
    ],
  );
}
