import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { lockFolder } from "../../folder-lock.ts";
import { createDatabase, type Database } from "../database.ts";
import { POOL_OPTIONS } from "../pool-options.ts";
import { createPgliteServer } from "./server.ts";

/** Longest wait for the connection, ms: others' transactions, and recovery after a crash. Chosen. */
const CONNECT_MS = 30_000;
/** Longest wait for an answer, ms; PGlite has no statement time-out of its own. Chosen. */
const ANSWER_MS = 30_000;

/**
 * Opens the embedded PostgreSQL (PGlite) of a folder, creating both if need be. First opening: about
 * 5 s; later: about 0.5 s. A commit is on disk when it returns.
 * When a statement takes longer than `answerMs`, or the database gives up, everything that waits for
 * it fails with `STORE_UNAVAILABLE`; the next call starts the database anew.
 * @throws DomainError `STORE_LOCKED` naming the process that has the folder, `STORE_UNAVAILABLE`.
 */
export async function openPglite(
  dataDir: string,
  { answerMs = ANSWER_MS }: { readonly answerMs?: number } = {},
): Promise<Database> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const lock = await lockFolder(dataDir);
  const server = createPgliteServer(join(dataDir, "cluster"));
  try {
    await server.start();
  } catch (error) {
    await lock.release();
    throw error;
  }
  const pool = new pg.Pool({
    ...POOL_OPTIONS,
    stream: () => server.connect(),
    user: "postgres",
    database: "postgres",
    // One backend, one session: a second connection would read the first one's answers.
    max: 1,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: answerMs,
  });
  const database = createDatabase(pool, async () => {
    await server.close();
    await lock.release();
  });
  return { ...database, copyTo: (dir) => server.copyTo(dir) };
}
