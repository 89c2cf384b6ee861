import type { PGlite } from "@electric-sql/pglite";
import { DAY_MS } from "../../../domain/time.ts";
import { answerState, joinBytes, simpleQuery } from "./wire.ts";

/**
 * Bytes written after which a checkpoint is made. Without a postmaster PostgreSQL makes none by
 * itself: the log would grow without end, and so would the time of recovery. More means fewer
 * full-page images and a longer recovery (measured: 80 MB of log add 0.5 s to a start).
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
/**
 * Age of the oldest row, in transactions, at which opening vacuums first; 2^31 is the end. A smaller age
 * vacuums at more starts.
 */
const VACUUM_AGE = 50_000_000;

/** What goes along with the work of a session. */
export interface SessionHooks {
  /** Called when a checkpoint has ended. */
  onCheckpoint(): void;
  /** Runs a vacuum, which makes files shorter. */
  aroundVacuum(vacuum: () => Promise<void>): Promise<void>;
  /** Must end the thread: the backend gave up and only a new one can go on. */
  onDead(error: Error): never;
}

/** PGlite is one backend with one session for its whole life; this makes connections of it. */
export class Session {
  readonly #database: PGlite;
  readonly #writtenBytes: () => number;
  readonly #hooks: SessionHooks;
  readonly #timer: NodeJS.Timeout;
  #current = 0;
  #isIdle = true;
  #checkpointAtBytes: number;
  #countAtBytes: number;
  #vacuumDue = false;
  #ageChecked = false;

  /** `writtenBytes`: how much the database has written since its start. */
  constructor(database: PGlite, writtenBytes: () => number, hooks: SessionHooks) {
    this.#database = database;
    this.#writtenBytes = writtenBytes;
    this.#hooks = hooks;
    this.#checkpointAtBytes = writtenBytes() + CHECKPOINT_BYTES;
    this.#countAtBytes = writtenBytes() + COUNT_DEAD_BYTES;
    this.#timer = setInterval(() => {
      this.#vacuumDue = true;
    }, VACUUM_EVERY_MS);
    this.#timer.unref();
  }

  /** Runs whole protocol messages. A new connection number starts with a clean session. */
  async request(connection: number, bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
    if (connection !== this.#current) {
      this.#current = connection;
      await this.#run("ROLLBACK");
      await this.#run("DISCARD ALL");
    }
    const answer = await this.#execute(bytes);
    const state = answerState(answer);
    if (state.dead) this.#hooks.onDead(new Error("the backend gave up"));
    this.#isIdle = state.idle;
    return answer;
  }

  /** Does what a server does in the background, when it is due and no transaction is open. */
  async maintain(): Promise<void> {
    if (!this.#isIdle) return;
    if (!this.#ageChecked) {
      this.#ageChecked = true;
      const { rows } = await this.#database.query<{ age: number }>(
        "SELECT age(datfrozenxid) AS age FROM pg_database WHERE datname = current_database()",
      );
      this.#vacuumDue = (rows[0]?.age ?? 0) > VACUUM_AGE;
    }
    if (this.#vacuumDue) {
      this.#vacuumDue = false;
      await this.#hooks.aroundVacuum(() => this.#run("VACUUM (ANALYZE)"));
    }
    if (this.#writtenBytes() >= this.#countAtBytes) {
      await this.#vacuumDeadRows();
      this.#countAtBytes = this.#writtenBytes() + COUNT_DEAD_BYTES;
    }
    if (this.#writtenBytes() >= this.#checkpointAtBytes) {
      await this.checkpoint();
      this.#checkpointAtBytes = this.#writtenBytes() + CHECKPOINT_BYTES;
    }
  }

  /** Whether no transaction is open. */
  get isIdle(): boolean {
    return this.#isIdle;
  }

  /** Writes all that changed to the cluster's files. */
  async checkpoint(): Promise<void> {
    await this.#run("CHECKPOINT");
    this.#hooks.onCheckpoint();
  }

  /** How far the log is on disk. Only while no transaction is open. */
  async flushedLsn(): Promise<number> {
    const { rows } = await this.#database.query<{ lsn: number }>(
      "SELECT (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::float8 AS lsn",
    );
    return rows[0]?.lsn ?? 0;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #execute(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
    const chunks: Uint8Array[] = [];
    // Not execProtocolRaw: it parses every answer and keeps the result for ever (0.5.16).
    await this.#database.execProtocolRawStream(bytes, {
      syncToFs: false,
      onRawData: (chunk) => chunks.push(chunk.slice()),
    });
    return joinBytes(chunks);
  }

  async #run(sql: string): Promise<void> {
    this.#isIdle = answerState(await this.#execute(simpleQuery(sql))).idle;
  }

  async #vacuumDeadRows(): Promise<void> {
    const { rows } = await this.#database.query<{ name: string }>(WORTH_A_VACUUM);
    if (rows.length === 0) return;
    await this.#hooks.aroundVacuum(async () => {
      for (const { name } of rows) await this.#run(`VACUUM (ANALYZE) ${name}`);
    });
  }
}
