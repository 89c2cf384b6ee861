import { randomUUID } from "node:crypto";
import { DAY_MS } from "../../../domain/time.ts";
import type {
  ClaimOutcome,
  EarlierRequest,
  IdempotencyClaim,
  IdempotencyRecords,
  IdempotentAnswer,
  KeyedRequest,
} from "../../ports/platform/idempotency.ts";
import type { Database, SqlValue } from "../sql/database.ts";

/** How long a key is kept, ms (docs/rules.md#keys-and-requests). */
const LIFE_MS = DAY_MS;
/** Expired keys that one claim deletes: more than one, so that their number falls. */
const CLEARED_PER_CLAIM = 10;

type StoredKey = {
  readonly request_hash: string;
  readonly status: number | null;
  readonly body: string | null;
  readonly begun: string | null;
};

/** Parameters 1 to 3 of statements that change a claim. */
const HELD = "scope = $1 AND key = $2 AND token = $3 AND status IS NULL";
const held = ({ scope, key, token }: IdempotencyClaim): readonly string[] => [scope, key, token];

const CLAIM = `INSERT INTO idempotency_keys AS stored
    (scope, key, request_hash, claimed_at_ms, token, leased_until)
  VALUES ($1, $2, $3, $4, $5, clock_timestamp() + $7::float8 * interval '1 millisecond')
  ON CONFLICT (scope, key) DO UPDATE SET
    request_hash = excluded.request_hash, claimed_at_ms = excluded.claimed_at_ms,
    token = excluded.token, leased_until = excluded.leased_until, status = NULL, body = NULL,
    begun = CASE WHEN stored.claimed_at_ms > $6 THEN stored.begun END
  WHERE stored.claimed_at_ms <= $6
    OR (stored.status IS NULL AND stored.leased_until <= clock_timestamp()
      AND (stored.begun IS NULL OR stored.request_hash = excluded.request_hash))
  RETURNING begun`;

/** Uses of `Idempotency-Key` in SQL. */
export class SqlIdempotencyRecords implements IdempotencyRecords {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async claim(
    { scope, key, requestHash }: KeyedRequest,
    atMs: number,
    leaseMs: number,
  ): Promise<ClaimOutcome> {
    const expiredAtMs = atMs - LIFE_MS;
    await this.#clearExpired(expiredAtMs);
    const claim = { scope, key, token: randomUUID() };
    for (;;) {
      const [claimed] = await this.#database.query<Pick<StoredKey, "begun">>(CLAIM, [
        scope,
        key,
        requestHash,
        atMs,
        claim.token,
        expiredAtMs,
        leaseMs,
      ]);
      if (claimed !== undefined) return { claim, begun: claimed.begun ?? undefined };
      const [earlier] = await this.#database.query<StoredKey>(
        "SELECT request_hash, status, body, begun FROM idempotency_keys WHERE scope = $1 AND key = $2",
        [scope, key],
      );
      // Released between the two statements: then it is free to be claimed.
      if (earlier !== undefined) return { earlier: toEarlier(earlier) };
    }
  }

  async renew(claims: readonly IdempotencyClaim[], leaseMs: number): Promise<void> {
    if (claims.length === 0) return;
    await this.#database.query(
      `UPDATE idempotency_keys AS stored
       SET leased_until = clock_timestamp() + $4::float8 * interval '1 millisecond'
       FROM unnest($1::text[], $2::text[], $3::text[]) AS mine (scope, key, token)
       WHERE stored.scope = mine.scope AND stored.key = mine.key
         AND stored.token = mine.token AND stored.status IS NULL`,
      [
        claims.map(({ scope }) => scope),
        claims.map(({ key }) => key),
        claims.map(({ token }) => token),
        leaseMs,
      ],
    );
  }

  complete(claim: IdempotencyClaim, { status, body }: IdempotentAnswer): Promise<boolean> {
    return this.#settle(claim, "status = $4, body = $5", [status, body]);
  }

  begin(claim: IdempotencyClaim, begun: string): Promise<boolean> {
    return this.#settle(claim, "begun = $4", [begun]);
  }

  async release(claim: IdempotencyClaim): Promise<void> {
    await this.#database.query(
      `DELETE FROM idempotency_keys WHERE ${HELD} AND begun IS NULL`,
      held(claim),
    );
    await this.#settle(claim, "leased_until = '-infinity'", []);
  }

  async #clearExpired(expiredAtMs: number): Promise<void> {
    await this.#database.query(
      `DELETE FROM idempotency_keys WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM idempotency_keys WHERE claimed_at_ms <= $1
         ORDER BY claimed_at_ms LIMIT $2 FOR UPDATE SKIP LOCKED
       ))`,
      [expiredAtMs, CLEARED_PER_CLAIM],
    );
  }

  /** Changes the row of a claim that is still held; false where it is not. */
  async #settle(
    claim: IdempotencyClaim,
    change: string,
    values: readonly SqlValue[],
  ): Promise<boolean> {
    const rows = await this.#database.query(
      `UPDATE idempotency_keys SET ${change} WHERE ${HELD} RETURNING scope`,
      [...held(claim), ...values],
    );
    return rows.length > 0;
  }
}

function toEarlier({ request_hash, status, body, begun }: StoredKey): EarlierRequest {
  return {
    requestHash: request_hash,
    answer: status === null || body === null ? undefined : { status, body },
    begun: begun ?? undefined,
  };
}
