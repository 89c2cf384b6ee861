import { DomainError } from "../../../domain/errors.ts";
import type { Lease, Leases } from "../../ports/platform/leases.ts";
import type { Database, Queryable, SqlValue } from "../sql/database.ts";

/**
 * Leases in SQL. Rows are locked in the order of their names everywhere, so that no two statements
 * wait for each other. A row stays when its lease is given up: its epoch must never be given twice.
 */
export class SqlLeases implements Leases {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async acquire(name: string, holder: string, ttlMs: number): Promise<Lease | undefined> {
    const [row] = await this.#database.query<{ epoch: number }>(
      `INSERT INTO leases AS held (name, holder, epoch, expires_at)
       VALUES ($1, $2, 1, clock_timestamp() + $3::float8 * interval '1 millisecond')
       ON CONFLICT (name) DO UPDATE SET
         holder = excluded.holder,
         epoch = held.epoch + 1,
         expires_at = clock_timestamp() + $3::float8 * interval '1 millisecond'
       WHERE held.holder = excluded.holder OR held.expires_at <= clock_timestamp()
       RETURNING epoch`,
      [name, holder, ttlMs],
    );
    return row && { name, holder, epoch: row.epoch };
  }

  async seize(name: string, holder: string): Promise<Lease> {
    const [row] = await this.#database.query<{ epoch: number }>(
      `INSERT INTO leases AS held (name, holder, epoch, expires_at) VALUES ($1, $2, 1, 'infinity')
       ON CONFLICT (name) DO UPDATE SET
         holder = excluded.holder, epoch = held.epoch + 1, expires_at = excluded.expires_at
       RETURNING epoch`,
      [name, holder],
    );
    if (row === undefined) throw new Error("an upsert yielded no row");
    return { name, holder, epoch: row.epoch };
  }

  async renew(leases: readonly Lease[], ttlMs: number): Promise<readonly Lease[]> {
    if (leases.length === 0) return [];
    const rows = await this.#database.query<{ name: string }>(
      `WITH mine AS (${HELD} ORDER BY held.name FOR UPDATE OF held)
       UPDATE leases SET expires_at = clock_timestamp() + $4::float8 * interval '1 millisecond'
       FROM mine WHERE leases.name = mine.name RETURNING leases.name`,
      [...columns(leases), ttlMs],
    );
    const renewed = new Set(rows.map(({ name }) => name));
    return leases.filter(({ name }) => renewed.has(name));
  }

  async release(leases: readonly Lease[]): Promise<void> {
    if (leases.length === 0) return;
    await this.#database.query(
      `WITH mine AS (${HELD} ORDER BY held.name FOR UPDATE OF held)
       UPDATE leases SET holder = '', expires_at = '-infinity'
       FROM mine WHERE leases.name = mine.name`,
      columns(leases),
    );
  }

  async held(prefix: string): Promise<readonly Lease[]> {
    return await this.#database.query<Lease & Record<string, unknown>>(
      `SELECT name, holder, epoch FROM leases
       WHERE starts_with(name, $1) AND expires_at > clock_timestamp() ORDER BY name`,
      [prefix],
    );
  }
}

/** The rows of leases that are still held under the given epoch. */
const HELD = `SELECT held.name FROM leases held
  JOIN unnest($1::text[], $2::text[], $3::bigint[]) AS given (name, holder, epoch)
    ON held.name = given.name AND held.holder = given.holder AND held.epoch = given.epoch`;

/**
 * Makes sure that nobody takes any of these leases before the transaction ends.
 * @throws DomainError `LEASE_LOST` when one of them is not held under its epoch any more.
 */
export async function fence(transaction: Queryable, leases: readonly Lease[]): Promise<void> {
  if (leases.length === 0) return;
  const rows = await transaction.query<{ name: string }>(
    `${HELD} ORDER BY held.name FOR SHARE OF held`,
    columns(leases),
  );
  if (rows.length === leases.length) return;
  const kept = new Set(rows.map(({ name }) => name));
  const lost = leases.filter(({ name }) => !kept.has(name)).map(({ name }) => name);
  throw new DomainError("LEASE_LOST", `not held any more: ${lost.join(", ")}`);
}

const columns = (leases: readonly Lease[]): readonly SqlValue[] => [
  leases.map(({ name }) => name),
  leases.map(({ holder }) => holder),
  leases.map(({ epoch }) => epoch),
];
