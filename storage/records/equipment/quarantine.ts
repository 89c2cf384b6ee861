import { DomainError } from "../../../domain/errors.ts";
import type { AssetId, ProjectId } from "../../../domain/ids.ts";
import type {
  QuarantineEntry,
  QuarantinePage,
  QuarantineRecords,
} from "../../ports/equipment/quarantine.ts";
import type { Database } from "../sql/database.ts";
import { expireRows } from "../sql/expire.ts";
import { orderBy } from "../sql/list-order.ts";

type StoredEntry = {
  readonly id: string;
  readonly asset_id: string;
  readonly project_id: string;
  readonly received_at_ms: number;
  readonly topic: string;
  readonly format: string;
  readonly reason: string;
  readonly payload: Uint8Array;
  readonly replayed_at_ms: number | null;
};

const COLUMNS = `id, asset_id, project_id, received_at_ms, topic, format, reason, payload,
  replayed_at_ms`;

/** A filter that is not given is null, and then lets everything pass. */
const MATCHES = `($1::text IS NULL OR asset_id = $1)
  AND ($2::text[] IS NULL OR project_id = ANY ($2))`;

/** Reading the quarantine; it is written by `insertQuarantined`. */
export class SqlQuarantineRecords implements QuarantineRecords {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async list({
    assetId,
    projectIds,
    isReversed,
    limit,
    offset,
  }: {
    readonly assetId?: AssetId;
    readonly projectIds?: readonly ProjectId[];
    readonly isReversed?: boolean;
    readonly limit: number;
    readonly offset: number;
  }): Promise<QuarantinePage> {
    const filter = [assetId ?? null, projectIds ?? null];
    const [counts] = await this.#database.query<{ total: number; dropped: number }>(
      `SELECT
         (SELECT count(*) FROM quarantine WHERE ${MATCHES}) AS total,
         (SELECT coalesce(sum(dropped), 0)::bigint FROM quarantine_days WHERE ${MATCHES}) AS dropped`,
      filter,
    );
    const rows = await this.#database.query<StoredEntry>(
      `SELECT ${COLUMNS} FROM quarantine WHERE ${MATCHES}
       ${orderBy("received_at_ms DESC, id", isReversed)} LIMIT $3 OFFSET $4`,
      [...filter, limit, offset],
    );
    return {
      entries: rows.map(toEntry),
      total: counts?.total ?? 0,
      dropped: counts?.dropped ?? 0,
    };
  }

  async find(id: string): Promise<QuarantineEntry | undefined> {
    const [row] = await this.#database.query<StoredEntry>(
      `SELECT ${COLUMNS} FROM quarantine WHERE id = $1`,
      [id],
    );
    return row && toEntry(row);
  }

  async markReplayed(id: string, atMs: number): Promise<void> {
    const marked = await this.#database.query(
      `UPDATE quarantine SET replayed_at_ms = $2, replay_requested_at_ms = NULL
       WHERE id = $1 RETURNING id`,
      [id, atMs],
    );
    requireFound(id, marked);
  }

  async requestReplay(id: string, atMs: number): Promise<void> {
    const asked = await this.#database.query(
      "UPDATE quarantine SET replay_requested_at_ms = $2 WHERE id = $1 RETURNING id",
      [id, atMs],
    );
    requireFound(id, asked);
  }

  async requestedReplays(limit: number): Promise<readonly QuarantineEntry[]> {
    const rows = await this.#database.query<StoredEntry>(
      `SELECT ${COLUMNS} FROM quarantine WHERE replay_requested_at_ms IS NOT NULL
       ORDER BY replay_requested_at_ms, id LIMIT $1`,
      [limit],
    );
    return rows.map(toEntry);
  }

  async dropReplayRequest(id: string): Promise<void> {
    await this.#database.query(
      "UPDATE quarantine SET replay_requested_at_ms = NULL WHERE id = $1",
      [id],
    );
  }

  async expire(beforeMs: number): Promise<boolean> {
    await this.#database.query(
      `DELETE FROM quarantine_days
       WHERE day < (to_timestamp($1 / 1000.0) AT TIME ZONE 'UTC')::date`,
      [beforeMs],
    );
    return expireRows(
      this.#database,
      { table: "quarantine", old: "aged.received_at_ms < $1", order: "received_at_ms" },
      [beforeMs],
    );
  }
}

function requireFound(id: string, found: readonly unknown[]): void {
  if (found.length > 0) return;
  throw new DomainError("QUARANTINE_NOT_FOUND", `no quarantined message "${id}"`);
}

function toEntry(row: StoredEntry): QuarantineEntry {
  return {
    id: row.id,
    assetId: row.asset_id as AssetId,
    projectId: row.project_id as ProjectId,
    receivedAtMs: row.received_at_ms,
    topic: row.topic,
    format: row.format,
    reason: row.reason,
    payload: new Uint8Array(row.payload),
    replayedAtMs: row.replayed_at_ms ?? undefined,
  };
}
