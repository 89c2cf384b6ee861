import pg from "pg";
import { DomainError } from "../../../domain/errors.ts";
import { createDatabase, type Database } from "./database.ts";
import { POOL_OPTIONS } from "./pool-options.ts";
import { checkedUrl, explainTlsTrouble } from "./postgres-tls.ts";

/** How one process uses the server. */
export interface PostgresOptions {
  /** Connections at most. */
  readonly connections?: number;
  /** Longest run of one statement on the server, ms. */
  readonly statementMs?: number;
}

/**
 * The pipeline takes one connection, the API the others. More take the server's memory; with fewer, requests
 * wait. A longer statement would block its connection.
 */
const DEFAULTS = { connections: 10, statementMs: 10_000 };
/** Longest wait for a connection, ms. */
const CONNECT_MS = 5_000;
/** Longest wait for an answer after the server should have given up, ms: it vanished without a word. */
const ANSWER_MS = 5_000;
/** PostgreSQL 14 as the server counts (`server_version_num`). */
const OLDEST_VERSION = 140_000;

/**
 * Connects to PostgreSQL 14 or newer.
 * @throws DomainError `STORE_UNAVAILABLE` when it is away, `SETTINGS_INVALID` when it is too old, or
 * when its certificate is not accepted.
 */
export async function openPostgres(
  databaseUrl: string,
  options: PostgresOptions = {},
): Promise<Database> {
  const { connections, statementMs } = { ...DEFAULTS, ...options };
  const pool = new pg.Pool({
    ...POOL_OPTIONS,
    connectionString: checkedUrl(databaseUrl),
    application_name: "plumbline",
    max: connections,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: statementMs,
    idle_in_transaction_session_timeout: statementMs,
    query_timeout: statementMs + ANSWER_MS,
  });
  const database = createDatabase(pool);
  try {
    const [row] = await database.query<{ version: number }>(
      "SELECT current_setting('server_version_num')::int AS version",
    );
    if (row !== undefined && row.version < OLDEST_VERSION) {
      throw new DomainError(
        "SETTINGS_INVALID",
        `DATABASE_URL: PostgreSQL 14 or newer is needed, the server is ${Math.floor(row.version / 10_000)}`,
      );
    }
    return database;
  } catch (error) {
    await database.close();
    throw explainTlsTrouble(error);
  }
}
