import type { PGlite } from "@electric-sql/pglite";
import { joinBytes, judgeAnswer, simpleQuery } from "./wire.ts";

/**
 * Bytes written after which a checkpoint is made. Without a postmaster PostgreSQL makes none by
 * itself: the log would grow without end, and so would the time of recovery. More means fewer
 * full-page images and a longer recovery (measured: 80 MB of log add 0.5 s to a start). Chosen.
 */
const CHECKPOINT_BYTES = 128 * 1024 * 1024;
/** There is no autovacuum either. Most tables need none (heap-only tuples); transaction ids do. */
const VACUUM_EVERY_MS = 24 * 60 * 60 * 1000;
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
  close(): void;
}

/** `onDead` must end the thread: the backend gave up and only a new one can go on. */
export function openSession(
  database: PGlite,
  writtenBytes: () => number,
  onDead: (error: Error) => never,
): Session {
  let current = 0;
  let idle = true;
  let checkpointAtBytes = writtenBytes() + CHECKPOINT_BYTES;
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
    idle = judgeAnswer(await execute(simpleQuery(sql))).idle;
  }

  return {
    async request(connection, bytes) {
      if (connection !== current) {
        current = connection;
        await run("ROLLBACK");
        await run("DISCARD ALL");
      }
      const answer = await execute(bytes);
      const verdict = judgeAnswer(answer);
      if (verdict.dead) onDead(new Error("the backend gave up"));
      idle = verdict.idle;
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
        await run("VACUUM (ANALYZE)");
      }
      if (writtenBytes() >= checkpointAtBytes) {
        await run("CHECKPOINT");
        checkpointAtBytes = writtenBytes() + CHECKPOINT_BYTES;
      }
    },

    get isIdle() {
      return idle;
    },

    checkpoint: () => run("CHECKPOINT"),

    close: () => clearInterval(timer),
  };
}
