import { existsSync } from "node:fs";
import { cp, mkdir, open, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DomainError } from "../../domain/errors.ts";
import { syncFolder } from "../data-folder/sync-folder.ts";
import { copyTable } from "../migration/copy-table.ts";
import { listTables } from "../migration/tables.ts";
import { migrate, refuseNewerSchema } from "../records/migrate.ts";
import { FIRST_OWN_OID } from "../records/pglite/cluster-files.ts";
import { forgetClusterNotes } from "../records/pglite/cluster-sums.ts";
import { openPglite } from "../records/pglite/open.ts";
import { PAGE_BYTES } from "../records/pglite/page-checksum.ts";
import { readCluster } from "../records/pglite/prepared.ts";
import { repairedCluster } from "../records/pglite/repaired-cluster.ts";
import type { Database } from "../records/sql/database.ts";
import type { BackupCopy } from "./backup-copy.ts";
import type { RecordsState } from "./check-records.ts";
import type { OnStep } from "./finding.ts";
import type { SetAsideFolder } from "./set-aside.ts";

interface Tools {
  readonly backup: BackupCopy | undefined;
  /** A folder for copies, on the same disk. */
  readonly staging: string;
  readonly aside: SetAsideFolder;
  readonly signal: AbortSignal;
  readonly onStep: OnStep;
  /** Takes what was taken from where. */
  readonly notes: string[];
}

/**
 * Reads past damage: pages that fail their checksum count as empty, and no index is used, because an index
 * may point to rows that are gone.
 */
const SALVAGE = [
  "zero_damaged_pages=on",
  "ignore_system_indexes=on",
  "enable_indexscan=off",
  "enable_indexonlyscan=off",
  "enable_bitmapscan=off",
].flatMap((setting) => ["-c", setting]);

/** Made again by PostgreSQL where they are missing. */
const DISPENSABLE = /\/\d+_(fsm|vm)(\.\d+)?$/;

/**
 * Makes a new database of the rows that can be read of the damaged one, and of those that a backup has of
 * the tables that were hit. The damaged one is moved away whole. The pipeline then begins at the oldest
 * record of the journal: what it stores twice is stored once.
 * @throws DomainError `STORE_DAMAGED` when there is neither a readable row nor a backup.
 */
export async function repairRecords(
  dataDir: string,
  state: RecordsState,
  tools: Tools,
): Promise<void> {
  const { backup, staging, aside, onStep, signal, notes } = tools;
  const cluster = join(dataDir, "records", "cluster");
  if (await putRepaired(cluster)) return;
  const fresh = join(staging, "new");
  await mkdir(fresh, { recursive: true, mode: 0o700 });
  const damagedPaths = state.findings.map(({ file }) => file.replace("records/cluster/", ""));
  const old = await openDamaged(cluster, join(staging, "old"), damagedPaths, onStep, notes);
  const kept = await openBackup(backup);
  if (old === undefined && kept === undefined) {
    throw new DomainError(
      "STORE_DAMAGED",
      "the records cannot be rebuilt: nothing of them can be read; give a backup with --backup FILE",
    );
  }
  const target = await openPglite(fresh);
  try {
    await migrate(target);
    // Rows of two sources need not fit each other's references.
    await target.query("SET session_replication_role = replica");
    for (const [source, name] of [
      [old, "the damaged database"],
      [kept, "the backup"],
    ] as const) {
      if (source === undefined) continue;
      onStep(`records: rows of ${name}`);
      const hit =
        source === kept && old !== undefined ? await tablesHit(old, damagedPaths) : undefined;
      const onConflict = source === kept && old !== undefined ? "keep" : "replace";
      await copyTables({ source, target, only: hit, signal, name, onConflict, notes });
    }
    for (const statement of RAISE_COUNTERS) await target.query(statement);
    await target.query("DELETE FROM pipeline_checkpoint");
    await target.query("SET session_replication_role = DEFAULT");
  } finally {
    await target.close();
    await old?.close();
    await kept?.close();
  }
  signal.throwIfAborted();
  await rename(join(fresh, "cluster"), repairedCluster(cluster));
  await syncFolder(dirname(cluster));
  await aside.move("records/cluster");
  await putRepaired(cluster);
}

/**
 * Puts a database that a repair has made in the place of the damaged one, which was moved away; false: there
 * is none. One beside a database was made by a repair that ended before it moved that away.
 */
async function putRepaired(cluster: string): Promise<boolean> {
  const repaired = repairedCluster(cluster);
  if (existsSync(cluster)) {
    await rm(repaired, { recursive: true, force: true });
    return false;
  }
  if (!existsSync(repaired)) return false;
  await forgetClusterNotes(cluster);
  await rename(repaired, cluster);
  await syncFolder(dirname(cluster));
  return true;
}

/** Opens a copy of the damaged database as far as that can be; `undefined`: it does not open. */
async function openDamaged(
  cluster: string,
  copy: string,
  damagedPaths: readonly string[],
  onStep: OnStep,
  notes: string[],
): Promise<Database | undefined> {
  if (!existsSync(cluster)) return undefined;
  onStep("records: opens a copy of the damaged database");
  await mkdir(copy, { recursive: true, mode: 0o700 });
  const own = join(copy, "cluster");
  await cp(cluster, own, { recursive: true });
  await patch(own, damagedPaths);
  try {
    const database = await openPglite(copy, { parameters: SALVAGE, isSalvage: true });
    try {
      await listTables(database);
      await refuseNewerSchema(database);
      return database;
    } catch (error) {
      await database.close().catch(() => undefined);
      throw error;
    }
  } catch (error) {
    if (error instanceof DomainError && error.code === "SCHEMA_TOO_NEW") throw error;
    notes.push(`the damaged database does not open: ${(error as Error).message}`);
    return undefined;
  }
}

/** Puts files of an empty database in the place of those that are the same in every one, and fills pages up. */
async function patch(cluster: string, damagedPaths: readonly string[]): Promise<void> {
  const damaged = new Set(damagedPaths);
  for await (const { path, content } of readCluster()) {
    const target = join(cluster, path);
    const isSame =
      content === undefined || /(^|\/)(PG_VERSION|[a-z_.]+\.conf|pg_filenode\.map)$/.test(path);
    if (!isSame || (existsSync(target) && !damaged.has(path))) continue;
    if (content === undefined) await mkdir(target, { recursive: true, mode: 0o700 });
    else await writeFile(target, content, { mode: 0o600 });
  }
  for (const path of damaged) {
    const target = join(cluster, path);
    if (DISPENSABLE.test(path)) await rm(target, { force: true });
    else if (/^(base|global)\//.test(path)) await fillUp(target);
  }
}

/** A file that ends in the middle of a page, or is gone, with zeros for what is missing. */
async function fillUp(path: string): Promise<void> {
  if (/pg_control$/.test(path)) return;
  const size = await stat(path).then(
    (one) => one.size,
    () => 0,
  );
  const file = await open(path, existsSync(path) ? "r+" : "w", 0o600);
  try {
    await file.truncate(Math.ceil(size / PAGE_BYTES) * PAGE_BYTES);
  } finally {
    await file.close();
  }
}

async function openBackup(backup: BackupCopy | undefined): Promise<Database | undefined> {
  if (backup === undefined || !(await backup.has("records/cluster/PG_VERSION"))) return undefined;
  const database = await openPglite(join(backup.dir, "records"));
  await migrate(database);
  return database;
}

/** Tables of which the damaged files hold a part; `undefined`: that is not known, so it may be any. */
async function tablesHit(
  old: Database,
  damagedPaths: readonly string[],
): Promise<ReadonlySet<string> | undefined> {
  const nodes = damagedPaths.map((path) => /^base\/\d+\/(\d+)/.exec(path)?.[1]);
  if (nodes.some((node) => node === undefined || Number(node) < FIRST_OWN_OID)) return undefined;
  const rows = await old
    .query<{ name: string }>(
      `SELECT c.relname AS name FROM pg_class c WHERE c.relfilenode = ANY ($1::oid[]) AND c.relkind = 'r'
       UNION SELECT c.relname FROM pg_class c JOIN pg_class t ON t.oid = c.reltoastrelid
         WHERE t.relfilenode = ANY ($1::oid[])
       UNION SELECT c.relname FROM pg_class c JOIN pg_index i ON i.indrelid = c.oid
         JOIN pg_class x ON x.oid = i.indexrelid WHERE x.relfilenode = ANY ($1::oid[])`,
      [nodes.filter((node) => node !== undefined)],
    )
    .catch(() => undefined);
  return rows && new Set(rows.map(({ name }) => name));
}

/** A counter must not fall behind what it has numbered. */
const RAISE_COUNTERS = [
  ["asset_revision", "SELECT max(revision) FROM assets"],
  ["asset_revision", "SELECT max(revision) FROM payload_mappings"],
  ["event_sequence", "SELECT max(sequence) FROM events"],
  ["geofence_revision", "SELECT max(revision) FROM geofence_versions"],
  ["job_number", "SELECT max(number) FROM jobs"],
  ["maintenance_revision", "SELECT max(revision) FROM maintenance_plans"],
  ["maintenance_revision", "SELECT max(revision) FROM maintenance_services"],
].map(
  ([name, numbered]) =>
    `UPDATE counters SET value = greatest(value, (${numbered})) WHERE name = '${name}'`,
);

/** Copies tables, all or those named. One that cannot be read to its end is reported in `notes`. */
async function copyTables(options: {
  readonly source: Database;
  readonly target: Database;
  readonly only: ReadonlySet<string> | undefined;
  readonly signal: AbortSignal;
  readonly name: string;
  readonly onConflict: "keep" | "replace";
  readonly notes: string[];
}): Promise<void> {
  const { source, target, only, signal, name: from, onConflict, notes } = options;
  for (const table of await listTables(target)) {
    if (only !== undefined && !only.has(table.name)) continue;
    signal.throwIfAborted();
    let rows = 0;
    try {
      await copyTable(
        source,
        target,
        table,
        undefined,
        async (more) => {
          rows += more;
        },
        onConflict,
      );
    } catch (error) {
      notes.push(`${table.name}: ${rows} rows of ${from}, then: ${(error as Error).message}`);
      continue;
    }
    if (rows > 0) notes.push(`${table.name}: ${rows} rows of ${from}`);
  }
}
