import pg from "pg";
import { DomainError } from "../../domain/errors.ts";
import { createDatabase, type Database } from "./database.ts";
import { POOL_OPTIONS } from "./pool-options.ts";

/** Connections of one process. The pipeline takes one, the API the others. Chosen. */
const CONNECTIONS = 10;
/** Longest wait for a connection, ms. */
const CONNECT_MS = 5_000;
/** Longest run of one statement on the server, ms. */
const STATEMENT_MS = 10_000;
/** Longest wait for an answer, ms: ends a query whose server vanished without a word. */
const ANSWER_MS = STATEMENT_MS + 5_000;
/** PostgreSQL 14 as the server counts (`server_version_num`). */
const OLDEST_VERSION = 140_000;

/**
 * Connects to PostgreSQL 14 or newer.
 * @throws DomainError `STORE_UNAVAILABLE` when it is away, `SETTINGS_INVALID` when it is too old.
 */
export async function openPostgres(databaseUrl: string): Promise<Database> {
  const pool = new pg.Pool({
    ...POOL_OPTIONS,
    connectionString: databaseUrl,
    application_name: "plumbline",
    max: CONNECTIONS,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: STATEMENT_MS,
    idle_in_transaction_session_timeout: STATEMENT_MS,
    query_timeout: ANSWER_MS,
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
    throw error;
  }
}
