import type { PGlite } from "@electric-sql/pglite";
import { DAY_MS } from "../../../domain/time.ts";
import { answerState, joinBytes, simpleQuery } from "./wire.ts";

/**
 * Bytes written after which a checkpoint is made. Without a postmaster PostgreSQL makes none by
 * itself: the log would grow without end, and so would the time of recovery. More means fewer
 * full-page images and a longer recovery (measured: 80 MB of log add 0.5 s to a start). Chosen.
 */
const CHECKPOINT_BYTES = 128 * 1024 * 1024;
/**
 * Bytes written after which the dead rows of each table are counted, since there is no autovacuum either.
 * More leaves more dead rows in the files; less counts more often (12 ms on a busy machine).
 */
const COUNT_DEAD_BYTES = 16 * 1024 * 1024;
/**
 * Tables that autovacuum would vacuum: by its rule with its default share of dead rows (PostgreSQL manual,
 * section 24.1.6). 1,000 instead of its 50 rows: a few pages are not worth a scan of the indexes.
 */
const WORTH_A_VACUUM = `
  SELECT format('%I.%I', schemaname, relname) AS name FROM pg_stat_user_tables
  WHERE n_dead_tup > 1000 + 0.2 * n_live_tup`;
/** How often all tables are vacuumed, because transaction ids must not run out. */
const VACUUM_EVERY_MS = DAY_MS;
/** Age of the oldest row, in transactions, at which opening vacuums first; 2^31 is the end. Chosen. */
const VACUUM_AGE = 50_000_000;

/** PGlite is one backend with one session for its whole life; this makes connections of it. */
export interface Session {
  /** Runs whole protocol messages. A new connection number starts with a clean session. */
  request(connection: number, bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>>;
  /** Does what a server does in the background, when it is due and no transaction is open. */
  maintain(): Promise<void>;
  /** Whether no transaction is open. */
  readonly isIdle: boolean;
  /** Writes all that changed to the cluster's files. */
  checkpoint(): Promise<void>;
  /** How far the log is on disk. Only while no transaction is open. */
  flushedLsn(): Promise<number>;
  close(): void;
}

/** What goes along with the work of a session. */
export interface SessionHooks {
  /** Called when a checkpoint has ended. */
  onCheckpoint(): void;
  /** Runs a vacuum, which makes files shorter. */
  aroundVacuum(vacuum: () => Promise<void>): Promise<void>;
  /** Must end the thread: the backend gave up and only a new one can go on. */
  onDead(error: Error): never;
}

/** `writtenBytes`: how much the database has written since its start. */
export function openSession(
  database: PGlite,
  writtenBytes: () => number,
  { onCheckpoint, aroundVacuum, onDead }: SessionHooks,
): Session {
  let current = 0;
  let idle = true;
  let checkpointAtBytes = writtenBytes() + CHECKPOINT_BYTES;
  let countAtBytes = writtenBytes() + COUNT_DEAD_BYTES;
  let vacuumDue = false;
  let ageChecked = false;
  const timer = setInterval(() => {
    vacuumDue = true;
  }, VACUUM_EVERY_MS);
  timer.unref();

  async function execute(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
    const chunks: Uint8Array[] = [];
    // Not execProtocolRaw: it parses every answer and keeps the result for ever (0.5.16).
    await database.execProtocolRawStream(bytes, {
      syncToFs: false,
      onRawData: (chunk) => chunks.push(chunk.slice()),
    });
    return joinBytes(chunks);
  }

  async function run(sql: string): Promise<void> {
    idle = answerState(await execute(simpleQuery(sql))).idle;
  }

  async function vacuumDeadRows(): Promise<void> {
    const { rows } = await database.query<{ name: string }>(WORTH_A_VACUUM);
    if (rows.length === 0) return;
    await aroundVacuum(async () => {
      for (const { name } of rows) await run(`VACUUM (ANALYZE) ${name}`);
    });
  }

  async function checkpoint(): Promise<void> {
    await run("CHECKPOINT");
    onCheckpoint();
  }

  return {
    async request(connection, bytes) {
      if (connection !== current) {
        current = connection;
        await run("ROLLBACK");
        await run("DISCARD ALL");
      }
      const answer = await execute(bytes);
      const state = answerState(answer);
      if (state.dead) onDead(new Error("the backend gave up"));
      idle = state.idle;
      return answer;
    },

    async maintain() {
      if (!idle) return;
      if (!ageChecked) {
        ageChecked = true;
        const { rows } = await database.query<{ age: number }>(
          "SELECT age(datfrozenxid) AS age FROM pg_database WHERE datname = current_database()",
        );
        vacuumDue = (rows[0]?.age ?? 0) > VACUUM_AGE;
      }
      if (vacuumDue) {
        vacuumDue = false;
        await aroundVacuum(() => run("VACUUM (ANALYZE)"));
      }
      if (writtenBytes() >= countAtBytes) {
        await vacuumDeadRows();
        countAtBytes = writtenBytes() + COUNT_DEAD_BYTES;
      }
      if (writtenBytes() >= checkpointAtBytes) {
        await checkpoint();
        checkpointAtBytes = writtenBytes() + CHECKPOINT_BYTES;
      }
    },

    get isIdle() {
      return idle;
    },

    checkpoint,

    async flushedLsn() {
      const { rows } = await database.query<{ lsn: number }>(
        "SELECT (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::float8 AS lsn",
      );
      return rows[0]?.lsn ?? 0;
    },

    close: () => clearInterval(timer),
  };
}
