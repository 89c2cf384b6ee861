import { existsSync } from "node:fs";
import { cp, mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { DomainError } from "../../domain/errors.ts";
import { listTables, quoted } from "../migration/tables.ts";
import type { JournalPosition } from "../ports/journal.ts";
import { refuseNewerSchema } from "../records/migrate.ts";
import { PAGED_FILE, PART_PAGES } from "../records/pglite/cluster-files.ts";
import { readClusterMarks } from "../records/pglite/cluster-marks.ts";
import { findChangedFiles } from "../records/pglite/cluster-sums.ts";
import { findLogDamage } from "../records/pglite/log-damage.ts";
import { findMarkedDamage, findShorter } from "../records/pglite/marked-damage.ts";
import { openPglite } from "../records/pglite/open.ts";
import { hasPageChecksum, isUnusedPage, PAGE_BYTES } from "../records/pglite/page-checksum.ts";
import { readCluster } from "../records/pglite/prepared.ts";
import { repairedCluster } from "../records/pglite/repaired-cluster.ts";
import { SqlSecretCheck } from "../records/platform/secret-check.ts";
import type { Database } from "../records/sql/database.ts";
import type { Finding, OnStep } from "./finding.ts";

/** What the embedded database of a data folder holds. */
export interface RecordsState {
  readonly findings: readonly Finding[];
  /** Rows by table; `undefined`: it does not open, or was not tried. */
  readonly rows: ReadonlyMap<string, number> | undefined;
  /** What the right secret key is recognised by; `undefined`: not known. */
  readonly secretCheck: Uint8Array | undefined;
  /** Bytes of each file that is counted for a project, by key; `undefined`: not known. */
  readonly files: ReadonlyMap<string, number> | undefined;
  /** How far the pipeline has come in the journal, or in several; empty when the database is not open. */
  readonly checkpoints: readonly JournalPosition[];
}

/** Of a database that is not in the folder, or does not open. */
export const UNREAD_RECORDS = {
  rows: undefined,
  secretCheck: undefined,
  files: undefined,
  checkpoints: [],
} satisfies Omit<RecordsState, "findings">;

const READ_BYTES = 128 * PAGE_BYTES;
const HOLDS = "registrations, keys, states, events, alerts, surveys";

/**
 * Checks every page of the database's files, and opens a copy of it when they seem sound; the database itself
 * is not opened. `staging` is a folder for the copy, which is removed.
 */
export async function checkRecords(
  dataDir: string,
  staging: string,
  onStep: OnStep,
): Promise<RecordsState> {
  const cluster = join(dataDir, "records", "cluster");
  if (!existsSync(cluster)) {
    return { findings: missingCluster(dataDir, cluster), ...UNREAD_RECORDS };
  }
  onStep("records: pages");
  const changed = await findChangedFiles(cluster);
  if (changed === undefined && readClusterMarks(cluster) !== undefined) {
    return checkCrashed(cluster, join(staging, "checked"), onStep);
  }
  const problems = new Map(changed?.map(({ path, problem }) => [path, problem]));
  for (const [path, problem] of await findMissing(cluster)) problems.set(path, problem);
  for (const [path, problem] of await findBadPages(cluster)) problems.set(path, problem);
  const findings = [...problems].map(([path, problem]) => found(path, problem));
  if (findings.length > 0) return { findings, ...UNREAD_RECORDS };
  return openCopy(cluster, join(staging, "checked"), onStep);
}

/**
 * After a kill the log completes the files, so pages are checked in a copy that has replayed it. When the log
 * is damaged, or the copy does not open, the files are checked as they are.
 */
async function checkCrashed(cluster: string, copy: string, onStep: OnStep): Promise<RecordsState> {
  const log = findLogDamage(cluster);
  const problems = new Map(log && [[log.path, log.problem]]);
  for (const [path, problem] of await findMissing(cluster)) problems.set(path, problem);
  if (problems.size === 0) {
    const state = await openCopy(cluster, copy, onStep);
    if (state.rows !== undefined || state.findings.some(({ file }) => file !== "records/cluster")) {
      return state;
    }
    for (const { path, problem } of findShorter(cluster)) problems.set(path, problem);
    for (const { problem } of state.findings) problems.set(".", problem);
  }
  for (const [path, problem] of await findBadPages(cluster)) problems.set(path, problem);
  const findings = [...problems].map(([path, problem]) => found(path, problem));
  return { findings, ...UNREAD_RECORDS };
}

function missingCluster(dataDir: string, cluster: string): readonly Finding[] {
  if (existsSync(repairedCluster(cluster))) {
    const finding = found(".", "a repair was interrupted before it put the new database here");
    return [{ ...finding, sources: ["the new database"] }];
  }
  return existsSync(join(dataDir, "records")) ? [found(".", "the database is missing")] : [];
}

const found = (path: string, problem: string): Finding => ({
  store: "records",
  file: path === "." ? "records/cluster" : `records/cluster/${path}`,
  problem,
  holds: PAGED_FILE.test(path) ? `a table or an index of: ${HOLDS}` : HOLDS,
  sources: ["what can be read of itself", "a backup"],
});

/** Reads every row of a copy, and with them the log, the catalogs and the indexes. */
async function openCopy(cluster: string, copy: string, onStep: OnStep): Promise<RecordsState> {
  onStep("records: opens a copy");
  await rm(copy, { recursive: true, force: true });
  await mkdir(copy, { recursive: true, mode: 0o700 });
  try {
    await cp(cluster, join(copy, "cluster"), { recursive: true });
    const marks = readClusterMarks(cluster);
    const database = await openPglite(copy);
    try {
      if (marks !== undefined) {
        const damaged = await findMarkedDamage(join(copy, "cluster"), marks, database);
        const findings = damaged.map(({ path, problem }) => found(path, problem));
        if (findings.length > 0) return { findings, ...UNREAD_RECORDS };
      }
      await refuseNewerSchema(database);
      const rows = new Map<string, number>();
      for (const { name } of await listTables(database)) {
        const [row] = await database.query<{ rows: number }>(
          // The whole row is read, with what lies beside it.
          `SELECT count(*)::float8 AS rows, max(length(t::text)) FROM ${quoted(name)} t`,
        );
        rows.set(name, row?.rows ?? 0);
      }
      await walkIndexes(database);
      const secretCheck = await new SqlSecretCheck(database).find();
      const checkpoints = await database.query<JournalPosition>(
        'SELECT journal_id AS "journalId", sequence FROM pipeline_checkpoint',
      );
      return { findings: [], rows, secretCheck, files: await countedFiles(database), checkpoints };
    } finally {
      await database.close();
    }
  } catch (error) {
    if (error instanceof DomainError && error.code === "SCHEMA_TOO_NEW") throw error;
    const problem = error instanceof Error ? error.message : String(error);
    return { findings: [found(".", problem)], ...UNREAD_RECORDS };
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

/** Of a schema that counts none yet there is nothing to compare with. */
async function countedFiles(database: Database): Promise<RecordsState["files"]> {
  const [table] = await database.query(
    "SELECT 1 AS is_there FROM pg_tables WHERE tablename = 'stored_files'",
  );
  if (table === undefined) return undefined;
  // A schedule is counted and is a row.
  const counted = await database.query<{ key: string; bytes: number }>(
    "SELECT key, bytes::float8 AS bytes FROM stored_files WHERE key NOT LIKE 'schedules/%' ORDER BY key",
  );
  return new Map(counted.map(({ key, bytes }) => [key, bytes]));
}

/** Follows every index to its rows, which a table that has become shorter does not have any more. */
async function walkIndexes(database: Database): Promise<void> {
  await database.query("SET enable_seqscan = off");
  const keys = await database.query<{ name: string; key: string }>(
    `SELECT t.relname AS name, a.attname AS key FROM pg_index i
       JOIN pg_class t ON t.oid = i.indrelid
       JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
       WHERE i.indisprimary AND t.relnamespace = current_schema()::regnamespace
       ORDER BY t.relname`,
  );
  for (const { name, key } of keys) {
    // The order makes it go by the index, and the whole row makes it go to the table.
    await database.query(
      `SELECT count(length(t::text)) FROM (SELECT * FROM ${quoted(name)} ORDER BY ${quoted(key)}) t`,
    );
  }
}

/** Files that every cluster has, and folders, which an archive made elsewhere may have dropped. */
async function findMissing(cluster: string): Promise<ReadonlyMap<string, string>> {
  const missing = new Map<string, string>();
  for await (const { path, content } of readCluster()) {
    // Relations may be rewritten under another name, and the log goes on.
    if (/^(base\/\d+\/\d|global\/\d|pg_wal\/)/.test(path)) continue;
    const size = await stat(join(cluster, path)).then(
      (one) => (one.isFile() ? one.size : -1),
      () => undefined,
    );
    if (size === undefined) missing.set(path, "it is missing");
    else if (size === 0 && content !== undefined && content.length > 0) {
      missing.set(path, "it is empty");
    }
  }
  return missing;
}

async function findBadPages(cluster: string): Promise<ReadonlyMap<string, string>> {
  const bad = new Map<string, string>();
  for (const folder of ["global", ...(await databaseFolders(cluster))]) {
    for (const name of (await readdir(join(cluster, folder))).sort()) {
      const path = `${folder}/${name}`;
      const match = PAGED_FILE.exec(path);
      if (match === null) continue;
      const problem = await firstBadPage(join(cluster, path), Number(match[4] ?? 0) * PART_PAGES);
      if (problem !== undefined) bad.set(path, problem);
    }
  }
  return bad;
}

async function databaseFolders(cluster: string): Promise<readonly string[]> {
  const names = await readdir(join(cluster, "base")).catch(() => []);
  return names.filter((name) => /^\d+$/.test(name)).map((name) => `base/${name}`);
}

async function firstBadPage(path: string, firstBlock: number): Promise<string | undefined> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    if (size % PAGE_BYTES !== 0) return `${size} bytes are not a whole number of pages`;
    const memory = Buffer.allocUnsafe(Math.min(size, READ_BYTES));
    let unused: number | undefined;
    for (let page = 0; page * PAGE_BYTES < size; page++) {
      const at = (page * PAGE_BYTES) % READ_BYTES;
      if (at === 0) await file.read(memory, 0, memory.length, page * PAGE_BYTES);
      const bytes = memory.subarray(at, at + PAGE_BYTES);
      if (!hasPageChecksum(bytes, firstBlock + page)) return `page ${page} has a wrong checksum`;
      // A table grows at its end: a page of zeros in front of a used one was used as well.
      if (isUnusedPage(bytes)) unused ??= page;
      else if (unused !== undefined && !/_(fsm|vm)$/.test(path))
        return `page ${unused} is all zeros`;
    }
    return undefined;
  } finally {
    await file.close();
  }
}
