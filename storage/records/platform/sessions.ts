import { DomainError } from "../../../domain/errors.ts";
import type { SessionId } from "../../../domain/ids.ts";
import type { Session, SessionRecords, SessionRow } from "../../ports/platform/sessions.ts";
import type { Database } from "../sql/database.ts";
import { expireRows } from "../sql/expire.ts";
import { explainViolations } from "../sql/pg-errors.ts";

type StoredSession = {
  readonly id: string;
  readonly hash: Uint8Array;
  readonly key_id: string;
  readonly key_hash: Uint8Array;
  readonly created_at_ms: number;
  readonly last_seen_at_ms: number;
  readonly address: string;
  readonly user_agent: string;
};

const COLUMNS = "id, hash, key_id, key_hash, created_at_ms, last_seen_at_ms, address, user_agent";

/** Log-ins of browsers in SQL. */
export class SqlSessionRecords implements SessionRecords {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async insert({ session, hash, keyHash }: SessionRow, mostOfKey: number): Promise<void> {
    const { id, keyId, createdAtMs, lastSeenAtMs, address, userAgent } = session;
    await explainViolations(
      // One statement, which does not see its own new row: one fewer of the older ones stays.
      this.#database.query(
        `WITH gone AS (
           DELETE FROM sessions WHERE id IN (
             SELECT id FROM sessions WHERE key_id = $3
             ORDER BY last_seen_at_ms DESC, created_at_ms DESC, id DESC OFFSET $9
           )
         )
         INSERT INTO sessions (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
        [
          id,
          hash,
          keyId,
          keyHash,
          createdAtMs,
          lastSeenAtMs,
          address,
          userAgent,
          Math.max(0, mostOfKey - 1),
        ],
      ),
      { unique: ["ID_CONFLICT", `session id "${id}" is taken`] },
    );
  }

  async findByHash(hash: Uint8Array): Promise<SessionRow | undefined> {
    const [row] = await this.#database.query<StoredSession>(
      `SELECT ${COLUMNS} FROM sessions WHERE hash = $1`,
      [hash],
    );
    return (
      row && {
        session: toSession(row),
        hash: new Uint8Array(row.hash),
        keyHash: new Uint8Array(row.key_hash),
      }
    );
  }

  async list(): Promise<readonly Session[]> {
    const rows = await this.#database.query<StoredSession>(
      `SELECT ${COLUMNS} FROM sessions ORDER BY created_at_ms, id`,
    );
    return rows.map(toSession);
  }

  async touch(id: SessionId, atMs: number): Promise<void> {
    await this.#database.query(
      "UPDATE sessions SET last_seen_at_ms = greatest(last_seen_at_ms, $2) WHERE id = $1",
      [id, atMs],
    );
  }

  async remove(id: SessionId): Promise<void> {
    const removed = await this.#database.query("DELETE FROM sessions WHERE id = $1 RETURNING id", [
      id,
    ]);
    if (removed.length === 0) throw new DomainError("SESSION_NOT_FOUND", `no session "${id}"`);
  }

  async removeOfKey(keyId: string): Promise<void> {
    await this.#database.query("DELETE FROM sessions WHERE key_id = $1", [keyId]);
  }

  expire(seenBeforeMs: number, createdBeforeMs: number): Promise<boolean> {
    const old = "aged.last_seen_at_ms < $1 OR aged.created_at_ms < $2";
    return expireRows(this.#database, { table: "sessions", old, order: "created_at_ms" }, [
      seenBeforeMs,
      createdBeforeMs,
    ]);
  }
}

function toSession(row: StoredSession): Session {
  return {
    id: row.id as SessionId,
    keyId: row.key_id,
    createdAtMs: row.created_at_ms,
    lastSeenAtMs: row.last_seen_at_ms,
    address: row.address,
    userAgent: row.user_agent,
  };
}
