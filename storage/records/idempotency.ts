import type { IdempotencyRecords, IdempotentAnswer } from "../ports.ts";
import type { Database } from "./database.ts";

/** How long a key is kept, ms (DESIGN section 4). */
const LIFE_MS = 24 * 60 * 60 * 1000;
/**
 * How long a claim without an answer is believed to be a request that still runs, ms; after that its
 * process is gone, and the key is free. Chosen: twice the time in which a request has to arrive.
 */
const UNANSWERED_MS = 60_000;
/** Expired keys that one claim clears away: more than one, so that they get fewer. Chosen. */
const CLEARED_PER_CLAIM = 10;

type StoredClaim = {
  readonly request_hash: string;
  readonly status: number | null;
  readonly body: string | null;
};

/** Claims of `Idempotency-Key` in SQL. */
export function createIdempotencyRecords(database: Database): IdempotencyRecords {
  async function clearExpired(expiredAtMs: number): Promise<void> {
    await database.query(
      `DELETE FROM idempotency_keys WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM idempotency_keys WHERE claimed_at_ms <= $1
         ORDER BY claimed_at_ms LIMIT $2 FOR UPDATE SKIP LOCKED
       ))`,
      [expiredAtMs, CLEARED_PER_CLAIM],
    );
  }

  return {
    async claim(scope, key, requestHash, atMs) {
      const expiredAtMs = atMs - LIFE_MS;
      await clearExpired(expiredAtMs);
      for (;;) {
        const claimed = await database.query(
          `INSERT INTO idempotency_keys AS stored (scope, key, request_hash, claimed_at_ms)
           VALUES ($1, $2, $3, $4)
           ON CONFLICT (scope, key) DO UPDATE SET request_hash = excluded.request_hash,
             claimed_at_ms = excluded.claimed_at_ms, status = NULL, body = NULL
           WHERE stored.claimed_at_ms <= $5 OR (stored.status IS NULL AND stored.claimed_at_ms <= $6)
           RETURNING scope`,
          [scope, key, requestHash, atMs, expiredAtMs, atMs - UNANSWERED_MS],
        );
        if (claimed.length > 0) return undefined;
        const [earlier] = await database.query<StoredClaim>(
          "SELECT request_hash, status, body FROM idempotency_keys WHERE scope = $1 AND key = $2",
          [scope, key],
        );
        // Released between the two statements: then it is free to be claimed.
        if (earlier !== undefined) return toAnswer(earlier);
      }
    },

    async complete(scope, key, { status, body }) {
      await database.query(
        "UPDATE idempotency_keys SET status = $3, body = $4 WHERE scope = $1 AND key = $2",
        [scope, key, status, body],
      );
    },

    async release(scope, key) {
      await database.query("DELETE FROM idempotency_keys WHERE scope = $1 AND key = $2", [
        scope,
        key,
      ]);
    },
  };
}

function toAnswer({ request_hash, status, body }: StoredClaim): IdempotentAnswer {
  return {
    requestHash: request_hash,
    response: status === null || body === null ? undefined : { status, body },
  };
}
