import { DomainError } from "../../../domain/errors.ts";
import type { ApiKeyId, ProjectId } from "../../../domain/ids.ts";
import { isoTime } from "../../../domain/iso-time.ts";
import type { ApiKey } from "../../../domain/platform/api-key.ts";
import type { ApiKeyRecords, ApiKeyRow, KeyName } from "../../ports/platform/api-keys.ts";
import type { Database } from "../sql/database.ts";
import { explainViolations } from "../sql/pg-errors.ts";
import { msOf } from "../sql/times.ts";

type StoredKey = {
  readonly id: string;
  readonly hash: Uint8Array;
  readonly name: string;
  readonly prefix: string;
  readonly scopes: ApiKey["scopes"];
  readonly plan: ApiKey["plan"];
  readonly project_ids: string[] | null;
  readonly expires_at_ms: number | null;
  readonly revoked_at_ms: number | null;
  readonly last_used_at_ms: number | null;
  readonly created_at_ms: number;
};

const COLUMNS = `id, hash, name, prefix, scopes, plan, project_ids, expires_at_ms, revoked_at_ms,
  last_used_at_ms, created_at_ms`;

/** API keys in SQL; times come back as ISO 8601 in UTC with milliseconds. */
export class SqlApiKeyRecords implements ApiKeyRecords {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async insert({ key, hash }: ApiKeyRow): Promise<void> {
    await explainViolations(
      this.#database.query(
        `INSERT INTO api_keys (${COLUMNS})
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
        [
          key.id,
          hash,
          key.name,
          key.prefix,
          key.scopes,
          key.plan,
          key.project_ids ?? null,
          msOrNull(key.expires_at),
          msOrNull(key.revoked_at),
          msOrNull(key.last_used_at),
          msOf(key.created_at),
        ],
      ),
      { unique: ["ID_CONFLICT", `API key id "${key.id}" is taken`] },
    );
  }

  async list(): Promise<readonly ApiKey[]> {
    const rows = await this.#database.query<StoredKey>(
      `SELECT ${COLUMNS} FROM api_keys ORDER BY created_at_ms, id`,
    );
    return rows.map(toApiKey);
  }

  async find(id: ApiKeyId): Promise<ApiKey | undefined> {
    const [row] = await this.#database.query<StoredKey>(
      `SELECT ${COLUMNS} FROM api_keys WHERE id = $1`,
      [id],
    );
    return row && toApiKey(row);
  }

  async findByHash(hash: Uint8Array): Promise<ApiKeyRow | undefined> {
    const [row] = await this.#database.query<StoredKey>(
      `SELECT ${COLUMNS} FROM api_keys WHERE hash = $1`,
      [hash],
    );
    return row && { key: toApiKey(row), hash: new Uint8Array(row.hash) };
  }

  rename(id: ApiKeyId, change: (before: KeyName) => KeyName): Promise<ApiKey> {
    return this.#database.transaction(async (transaction) => {
      const [before] = await transaction.query<StoredKey>(
        `SELECT ${COLUMNS} FROM api_keys WHERE id = $1 FOR UPDATE`,
        [id],
      );
      if (before === undefined) throw keyNotFound(id);
      const { name } = change({ name: before.name });
      await transaction.query("UPDATE api_keys SET name = $2 WHERE id = $1", [id, name]);
      return toApiKey({ ...before, name });
    });
  }

  async revoke(id: ApiKeyId, at: string): Promise<ApiKey> {
    // A second revocation keeps the first one's time.
    const [row] = await this.#database.query<StoredKey>(
      `UPDATE api_keys SET revoked_at_ms = coalesce(revoked_at_ms, $2)
       WHERE id = $1 RETURNING ${COLUMNS}`,
      [id, msOf(at)],
    );
    if (row === undefined) throw keyNotFound(id);
    return toApiKey(row);
  }

  async touch(id: ApiKeyId, at: string): Promise<void> {
    await this.#database.query(
      "UPDATE api_keys SET last_used_at_ms = greatest(last_used_at_ms, $2) WHERE id = $1",
      [id, msOf(at)],
    );
  }
}

function keyNotFound(id: ApiKeyId): DomainError {
  return new DomainError("KEY_NOT_FOUND", `no API key "${id}"`);
}

const msOrNull = (iso: string | undefined): number | null => (iso === undefined ? null : msOf(iso));

function toApiKey(row: StoredKey): ApiKey {
  return {
    id: row.id as ApiKeyId,
    name: row.name,
    prefix: row.prefix,
    scopes: row.scopes,
    plan: row.plan,
    ...(row.project_ids === null ? {} : { project_ids: row.project_ids as ProjectId[] }),
    ...(row.expires_at_ms === null ? {} : { expires_at: isoTime(row.expires_at_ms) }),
    ...(row.revoked_at_ms === null ? {} : { revoked_at: isoTime(row.revoked_at_ms) }),
    ...(row.last_used_at_ms === null ? {} : { last_used_at: isoTime(row.last_used_at_ms) }),
    created_at: isoTime(row.created_at_ms),
  };
}
