import type {
  HandedOverState,
  LogLayouts,
  StoredLayouts,
} from "../../ports/platform/log-layouts.ts";
import type { Database } from "../sql/database.ts";
import { fence } from "./leases.ts";

/** A process that said nothing for so long is forgotten: names of processes come and go with their folders. */
const FORGET_AFTER = "1 day";

/** Layouts of shared logs in SQL. */
export class SqlLogLayouts implements LogLayouts {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async begin(logId: string, partitions: number): Promise<void> {
    await this.#database.query(
      `INSERT INTO log_layouts (log_id, version, partitions, used_from)
       SELECT $1, 1, $2, clock_timestamp()
       WHERE NOT EXISTS (SELECT FROM log_layouts WHERE log_id = $1)
       ON CONFLICT DO NOTHING`,
      [logId, partitions],
    );
  }

  async read(logId: string): Promise<StoredLayouts> {
    // One statement, so that all of it is of one moment.
    const [row] = await this.#database.query<{
      partitions: number[] | null;
      used_in_ms: number | null;
      handed_over: number[] | null;
      oldest_written: number | null;
    }>(
      `WITH newest AS (
         SELECT version, used_from FROM log_layouts WHERE log_id = $1 ORDER BY version DESC LIMIT 1
       )
       SELECT
         (SELECT array_agg(partitions ORDER BY version) FROM log_layouts WHERE log_id = $1) AS partitions,
         (SELECT (extract(epoch FROM used_from - clock_timestamp()) * 1000)::float8 FROM newest) AS used_in_ms,
         (SELECT array_agg(partition) FROM log_handovers JOIN newest USING (version)
          WHERE log_id = $1) AS handed_over,
         (SELECT min(version) FROM log_writers
          WHERE log_id = $1 AND expires_at > clock_timestamp()) AS oldest_written`,
      [logId],
    );
    return {
      partitions: row?.partitions ?? [],
      usedInMs: Math.max(0, row?.used_in_ms ?? 0),
      handedOver: new Set(row?.handed_over ?? []),
      oldestWritten: row?.oldest_written ?? undefined,
    };
  }

  async raise(logId: string, version: number, partitions: number, usedInMs: number): Promise<void> {
    await this.#database.query(
      `INSERT INTO log_layouts (log_id, version, partitions, used_from)
       VALUES ($1, $2, $3, clock_timestamp() + $4::float8 * interval '1 millisecond')
       ON CONFLICT DO NOTHING`,
      [logId, version, partitions, usedInMs],
    );
    await this.#database.query(
      `DELETE FROM log_writers
       WHERE log_id = $1 AND expires_at < clock_timestamp() - interval '${FORGET_AFTER}'`,
      [logId],
    );
  }

  async writes(logId: string, writer: string, version: number, ttlMs: number): Promise<void> {
    await this.#database.query(
      `INSERT INTO log_writers (log_id, writer, version, expires_at)
       VALUES ($1, $2, $3, clock_timestamp() + $4::float8 * interval '1 millisecond')
       ON CONFLICT (log_id, writer) DO UPDATE SET
         version = excluded.version, expires_at = excluded.expires_at`,
      [logId, writer, version, ttlMs],
    );
  }

  async leaves(logId: string, writer: string): Promise<void> {
    await this.#database.query("DELETE FROM log_writers WHERE log_id = $1 AND writer = $2", [
      logId,
      writer,
    ]);
  }

  async handOver({
    logId,
    version,
    partition,
    prefix,
    lease,
  }: Parameters<LogLayouts["handOver"]>[0]): Promise<void> {
    await this.#database.transaction(async (transaction) => {
      await fence(transaction, [lease]);
      await transaction.query(
        `INSERT INTO log_handovers (log_id, version, partition, shared)
         SELECT $1, $2, $3, coalesce(json_object_agg(substr(name, length($4) + 1), state), '{}')::text
         FROM pipeline_shared WHERE starts_with(name, $4)
         ON CONFLICT DO NOTHING`,
        [logId, version, partition, prefix],
      );
    });
  }

  async inherited(logId: string, version: number): Promise<readonly HandedOverState[]> {
    const rows = await this.#database.query<{ shared: string }>(
      "SELECT shared FROM log_handovers WHERE log_id = $1 AND version = $2 ORDER BY partition",
      [logId, version],
    );
    return rows.map(({ shared }) => new Map(Object.entries<string>(JSON.parse(shared))));
  }
}
