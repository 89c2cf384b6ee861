import type pg from "pg";
import { DomainError } from "../../../domain/errors.ts";
import { isConnectionLost, storeError } from "./pg-errors.ts";

/** A value of one placeholder; arrays become PostgreSQL arrays. */
export type SqlValue =
  | string
  | number
  | boolean
  | null
  | Uint8Array
  | readonly (string | number | boolean | null | Uint8Array)[];

/** Runs one statement with `$1`, `$2`, ... and yields its rows. */
export interface Queryable {
  query<Row extends pg.QueryResultRow>(
    text: string,
    values?: readonly SqlValue[],
  ): Promise<readonly Row[]>;
}

/** The only access to the database; errors have passed `storeError`. */
export interface Database extends Queryable {
  /**
   * Runs `work` between BEGIN and COMMIT on one connection. Nothing is stored when `work` throws.
   * `work` must not use the `Database` itself: the embedded pool has one connection, and it is taken.
   * A `STORE_UNAVAILABLE` may come after the commit took effect: the answer was lost.
   */
  transaction<T>(work: (transaction: Queryable) => Promise<T>): Promise<T>;
  /**
   * Copies the database, as it is between two transactions, to a folder that must not exist; others
   * wait meanwhile. Absent: it is a server with its own means of backup.
   */
  copyTo?(dir: string): Promise<void>;
  /** Waits for what runs, then closes. Calling it again does nothing more. */
  close(): Promise<void>;
}

/** A database on that pool; `afterClose` stops its server, `onDamage` is called on damaged files. */
export function createDatabase(
  pool: pg.Pool,
  afterClose: () => Promise<void> = async () => undefined,
  onDamage: (problem: string) => void = ignore,
): Database {
  // pg reports a connection that broke on both emitters, as well as to its query; without listeners
  // the process would end.
  pool.on("error", ignore);
  pool.on("connect", (client) => client.on("error", ignore));

  let closing: Promise<void> | undefined;

  /** Lends a connection; one that broke is not used again. */
  async function withClient<T>(use: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    let client: pg.PoolClient | undefined;
    let broken = false;
    try {
      client = await pool.connect();
      return await use(client);
    } catch (error) {
      broken = isConnectionLost(error);
      const known = storeError(error);
      if (known instanceof DomainError && known.code === "STORE_DAMAGED") onDamage(known.message);
      throw known;
    } finally {
      client?.release(broken);
    }
  }

  return {
    query: (text, values) => withClient((client) => run(client, text, values)),
    transaction: (work) =>
      withClient(async (client) => {
        await client.query("BEGIN");
        try {
          const result = await work({ query: (text, values) => run(client, text, values) });
          await client.query("COMMIT");
          return result;
        } catch (error) {
          // A lost connection rolls back by itself, and may never answer.
          if (!isConnectionLost(error)) await client.query("ROLLBACK");
          throw error;
        }
      }),
    close() {
      closing ??= pool.end().then(afterClose);
      return closing;
    },
  };
}

/** An open transaction as a database, so that what is made for a database can take part in it. */
export function asDatabase(transaction: Queryable): Database {
  const query: Database["query"] = async (text, values) => {
    try {
      return await transaction.query(text, values);
    } catch (error) {
      throw storeError(error);
    }
  };
  // The caller that opened the transaction ends it.
  return { query, transaction: (work) => work({ query }), close: async () => undefined };
}

function ignore(): void {}

async function run<Row extends pg.QueryResultRow>(
  client: pg.PoolClient,
  text: string,
  values: readonly SqlValue[] = [],
): Promise<readonly Row[]> {
  // Without parameters pg uses the simple protocol, which also takes several statements at once.
  const result = await (values.length === 0
    ? client.query<Row>(text)
    : client.query<Row>(text, [...values]));
  return result.rows;
}
