import { createHash } from "node:crypto";
import type { AssetId, ProjectId } from "../../../domain/ids.ts";
import type {
  TelemetryDeadLetter,
  TelemetryDeadLetters,
} from "../../ports/equipment/telemetry-dead-letters.ts";
import type { Database } from "../sql/database.ts";
import { expireRows } from "../sql/expire.ts";
import { withoutNul } from "../sql/text.ts";

type StoredLetter = {
  readonly asset_id: string;
  readonly project_id: string;
  readonly fix_time_ms: number;
  readonly line: string;
  readonly reason: string;
  readonly refused_at_ms: number;
};

/** Points that the telemetry archive refused for good. */
export class SqlTelemetryDeadLetters implements TelemetryDeadLetters {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async add(letters: readonly TelemetryDeadLetter[]): Promise<void> {
    if (letters.length === 0) return;
    await this.#database.query(
      `INSERT INTO telemetry_dead_letters
         (id, asset_id, project_id, fix_time_ms, line, reason, refused_at_ms)
       SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[],
         $6::text[], $7::bigint[])
       ON CONFLICT (id) DO NOTHING`,
      [
        letters.map(({ line }) => createHash("sha256").update(line).digest("hex")),
        letters.map(({ assetId }) => assetId),
        letters.map(({ projectId }) => projectId),
        letters.map(({ fixTimeMs }) => Math.round(fixTimeMs)),
        letters.map(({ line }) => withoutNul(line)),
        letters.map(({ reason }) => withoutNul(reason)),
        letters.map(({ refusedAtMs }) => refusedAtMs),
      ],
    );
  }

  async list(limit: number): Promise<readonly TelemetryDeadLetter[]> {
    const rows = await this.#database.query<StoredLetter>(
      `SELECT asset_id, project_id, fix_time_ms, line, reason, refused_at_ms
       FROM telemetry_dead_letters ORDER BY refused_at_ms DESC, id LIMIT $1`,
      [limit],
    );
    return rows.map((row) => ({
      assetId: row.asset_id as AssetId,
      projectId: row.project_id as ProjectId,
      fixTimeMs: row.fix_time_ms,
      line: row.line,
      reason: row.reason,
      refusedAtMs: row.refused_at_ms,
    }));
  }

  expire(beforeMs: number): Promise<boolean> {
    return expireRows(
      this.#database,
      {
        table: "telemetry_dead_letters",
        old: "aged.refused_at_ms < $1",
        order: "refused_at_ms",
      },
      [beforeMs],
    );
  }
}
