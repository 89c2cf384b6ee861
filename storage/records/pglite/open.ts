import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { DomainError } from "../../../domain/errors.ts";
import { lockFolder } from "../../data-folder/folder-lock.ts";
import { createDatabase, type Database } from "../sql/database.ts";
import { POOL_OPTIONS } from "../sql/pool-options.ts";
import { readClusterMarks } from "./cluster-marks.ts";
import { clusterNotes, refuseChanged, takeClusterSums, writeClusterSums } from "./cluster-sums.ts";
import { openFlushedMark } from "./flushed-mark.ts";
import { findLogDamage } from "./log-damage.ts";
import { findMarkedDamage } from "./marked-damage.ts";
import { refuseUnfinishedRepair } from "./repaired-cluster.ts";
import { PgliteServer } from "./server.ts";

/**
 * Longest wait for the connection, ms: others' transactions, and recovery after a crash. They are seconds of
 * work, which take minutes on a machine at a load of 20.
 */
const CONNECT_MS = 180_000;
/**
 * Longest wait for an answer, ms; PGlite has no statement time-out of its own. The longest statement
 * of ours, a step of the schema, is seconds of work. What waits longer hangs, and the database starts anew.
 */
const ANSWER_MS = 180_000;

/**
 * Opens the embedded PostgreSQL (PGlite) of a folder, creating both if need be. First opening: about
 * 1 s; later: about 0.5 s. A commit is on disk when it returns.
 * When a statement takes longer than `answerMs`, or the database gives up, everything that waits for
 * it fails with `STORE_UNAVAILABLE`; the next call starts the database anew.
 * @throws DomainError `STORE_LOCKED` naming the process that has the folder, `STORE_UNAVAILABLE`,
 * `STORE_DAMAGED` for files that are not as the last stop left them, or that do not open.
 */
export async function openPglite(
  dataDir: string,
  {
    answerMs = ANSWER_MS,
    onDamage,
    parameters,
    isSalvage = false,
  }: {
    readonly answerMs?: number;
    /** Called on damage that a statement meets. */
    readonly onDamage?: (problem: string) => void;
    /** Further parameters of PostgreSQL, such as `-c`, `name=value`. */
    readonly parameters?: readonly string[];
    /** Opens a copy of a damaged cluster as far as can be: the log up to its damage. */
    readonly isSalvage?: boolean;
  } = {},
): Promise<Database> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const lock = await lockFolder(dataDir);
  const cluster = join(dataDir, "cluster");
  const flushed = openFlushedMark(cluster);
  const server = new PgliteServer(cluster, parameters, (lsn) => flushed.note(lsn));
  let wasStopped = true;
  try {
    const hadCluster = existsSync(cluster);
    refuseUnfinishedRepair(cluster);
    refuseHeadless(cluster);
    if (hadCluster) wasStopped = await takeClusterSums(cluster);
    else refuseGone(cluster);
    if (!wasStopped && !isSalvage) refuseDamagedLog(cluster);
    await server.start().catch((error: unknown) => {
      throw hadCluster ? doesNotOpen(cluster, error) : error;
    });
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
  let isSound = true;
  const database = createDatabase(
    pool,
    async () => {
      const isClean = await server.close();
      await flushed.close();
      // Without the sums the next start compares with the marks.
      if (isClean && isSound) await writeClusterSums(cluster).catch(() => undefined);
      await lock.release();
    },
    onDamage,
  );
  try {
    const marks = wasStopped ? undefined : readClusterMarks(cluster);
    if (marks !== undefined) {
      refuseChanged(cluster, await findMarkedDamage(cluster, marks, database));
    }
  } catch (error) {
    isSound = false;
    await database.close().catch(() => undefined);
    throw error;
  }
  server.trust();
  return { ...database, copyTo: (dir) => server.copyTo(dir) };
}

/** PostgreSQL would write over what lies beyond the damage. */
function refuseDamagedLog(cluster: string): void {
  const damage = findLogDamage(cluster);
  if (damage !== undefined) refuseChanged(cluster, [damage]);
}

/** What is noted beside a cluster is removed before another one takes its place (`forgetClusterNotes`). */
function refuseGone(cluster: string): void {
  const note = clusterNotes(cluster).find((path) => existsSync(path));
  if (note === undefined) return;
  throw new DomainError("STORE_DAMAGED", `${cluster} is missing: ${note} shows that it was there`);
}

/** PGlite makes a new database in a folder without this file, over whatever is in it. */
function refuseHeadless(cluster: string): void {
  const file = join(cluster, "PG_VERSION");
  if (!existsSync(cluster) || existsSync(file)) return;
  throw new DomainError("STORE_DAMAGED", `${file} is missing`);
}

/** The error of a cluster that was there and does not start: a full disk mends itself, the rest does not. */
function doesNotOpen(cluster: string, error: unknown): unknown {
  if (!(error instanceof DomainError) || /no space left|ENOSPC/i.test(error.message)) return error;
  return new DomainError("STORE_DAMAGED", `${cluster} does not open: ${error.message}`, {
    cause: error,
  });
}
