import { createHash } from "node:crypto";
import { join } from "node:path";
import { DomainError } from "../../domain/errors.ts";
import { DAY_MS, WEEK_MS } from "../../domain/time.ts";
import { type FolderLock, lockFolder } from "../data-folder/folder-lock.ts";
import type { JournalPosition } from "../ports/journal.ts";
import type { TelemetryArchive } from "../ports/telemetry-archive.ts";
import { migrate } from "../records/migrate.ts";
import { openPglite } from "../records/pglite/open.ts";
import type { Database } from "../records/sql/database.ts";
import { openEmbeddedTelemetryStore } from "../telemetry/embedded/open.ts";
import type { EmbeddedTelemetryStore } from "../telemetry/embedded/store.ts";
import { copyTable } from "./copy-table.ts";
import { copyAsset, openPointSender, PART_MS } from "./copy-telemetry.ts";
import { openProgressFile, PROGRESS_FILE, type ProgressFile } from "./progress-file.ts";
import { seriesChecksum } from "./series-checksum.ts";
import { tableChecksum } from "./table-checksum.ts";
import { listTables, quoted, type Table } from "./tables.ts";

/** What the migration does at the moment. */
export interface MigrationStep {
  readonly phase: "records" | "telemetry" | "verify" | "journal" | "compare";
  /** Parts done and to do in this phase: tables, days of assets, or records of the journal. */
  readonly done: number;
  readonly total: number;
  /** Rows, points or journal records of this run. */
  readonly items: number;
}

/** What was copied and found equal on both sides. */
export interface MigrationResult {
  readonly tables: number;
  readonly rows: number;
  readonly assets: number;
  readonly points: number;
  /** Whether an earlier run had begun. */
  readonly isResumed: boolean;
  /** Points older than this stayed behind, ms since the Unix epoch. */
  readonly cutoffMs: number;
}

export interface MigrationOptions {
  /** DATA_DIR of the embedded stores; no service may run on it. */
  readonly from: string;
  /** An open database whose schema is up to date. */
  readonly database: Database;
  readonly archive: TelemetryArchive;
  readonly retentionDays: number;
  readonly nowMs: number;
  readonly signal: AbortSignal;
  readonly onStep: (step: MigrationStep) => void;
  /** `database` has the records already: telemetry alone is copied. */
  readonly hasRecords?: boolean;
  /** Whether the caller has locked the folder's journal. */
  readonly isLocked?: boolean;
  /**
   * Called when both sides are equal, with the journal's place up to which the archive has everything. Until it
   * resolves, another run compares both sides again; after that it must not.
   */
  readonly onEqual?: (archived: JournalPosition | undefined) => Promise<void>;
}

/** Rows of one asset are compared in windows of this length, ms. */
const CHECK_WINDOW_MS = WEEK_MS;

/**
 * Copies the embedded records and telemetry to PostgreSQL and InfluxDB, then reads both sides and
 * compares them: every table by count and checksum, every asset by its points, bit for bit. What was
 * interrupted goes on where it was; copying something again changes nothing.
 * @throws DomainError `STORE_LOCKED` while a service runs on the source, `MIGRATION_FAILED` when the
 * target holds something else or the sides differ, `STORE_UNAVAILABLE`.
 */
export async function migrateData(options: MigrationOptions): Promise<MigrationResult> {
  const { from, archive, nowMs, retentionDays, hasRecords = false, isLocked = false } = options;
  const closers: (() => Promise<void>)[] = [];
  try {
    if (!isLocked) {
      // The service takes the journal first: with it locked, none can start half-way.
      const lock: FolderLock = await lockFolder(join(from, "journal"));
      closers.push(() => lock.release());
    }
    const records = hasRecords ? undefined : await openSource(join(from, "records"));
    closers.push(async () => records?.close());
    const telemetry = await openEmbeddedTelemetryStore({ dir: join(from, "telemetry") });
    closers.push(() => telemetry.close());
    const file = await openProgressFile(join(from, PROGRESS_FILE), {
      target: await targetOf(options),
      source: await sourceOf(records, telemetry),
      // A day less: points must not expire at the other side between copy and comparison.
      cutoffMs: nowMs - (retentionDays - 1) * DAY_MS,
    });
    const migration = { ...options, records, telemetry, file };
    if (!file.isResumed && !hasRecords) await requireEmpty(options.database);
    await file.save(true);
    await archive.prepare();
    const tables = records === undefined ? [] : await listTables(records);
    if (records !== undefined) await copyRecords({ ...migration, records }, tables);
    await copyTelemetry(migration);
    const result = await verify(migration, tables);
    await options.onEqual?.(telemetry.durablePosition);
    await file.remove();
    return { ...result, isResumed: file.isResumed, cutoffMs: file.progress.cutoffMs };
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

async function openSource(dir: string): Promise<Database> {
  const records = await openPglite(dir);
  await migrate(records);
  return records;
}

interface Migration extends MigrationOptions {
  /** Absent: the records are in `database` already. */
  readonly records: Database | undefined;
  readonly telemetry: EmbeddedTelemetryStore;
  readonly file: ProgressFile;
}

/** Both servers as one text; another text starts a migration of its own. */
async function targetOf({ database, archive }: MigrationOptions): Promise<string> {
  const [row] = await database.query<{ name: string; oid: string }>(
    "SELECT datname AS name, oid::text AS oid FROM pg_database WHERE datname = current_database()",
  );
  return `${row?.name} (${row?.oid}) and ${archive.name}`;
}

async function sourceOf(
  records: Database | undefined,
  telemetry: EmbeddedTelemetryStore,
): Promise<string> {
  const checkpoints = await records?.query(
    "SELECT journal_id, sequence FROM pipeline_checkpoint ORDER BY journal_id",
  );
  const { durablePosition } = telemetry;
  const text = JSON.stringify([checkpoints, durablePosition]);
  return createHash("sha256").update(text).digest("hex");
}

/** @throws DomainError `MIGRATION_FAILED` naming a table with rows that are not ours to replace. */
async function requireEmpty(database: Database): Promise<void> {
  for (const { name } of await listTables(database)) {
    // Made with the schema.
    if (name === "counters") continue;
    const rows = await database.query(`SELECT 1 FROM ${quoted(name)} LIMIT 1`);
    if (rows.length === 0) continue;
    throw new DomainError(
      "MIGRATION_FAILED",
      `the PostgreSQL database is not empty: the table ${name} has rows. Use a new database`,
    );
  }
}

async function copyRecords(
  migration: Migration & { readonly records: Database },
  tables: readonly Table[],
): Promise<void> {
  const { records, database, file, signal, onStep } = migration;
  let items = 0;
  for (const [done, table] of tables.entries()) {
    const copied = file.progress.tables[table.name];
    const show = () => onStep({ phase: "records", done, total: tables.length, items });
    show();
    if (copied === null) continue;
    await copyTable(records, database, table, copied, async (rows, last) => {
      items += rows;
      show();
      file.progress.tables[table.name] = last;
      await file.save();
      signal.throwIfAborted();
    });
    file.progress.tables[table.name] = null;
    await file.save();
  }
  onStep({ phase: "records", done: tables.length, total: tables.length, items });
  await file.save(true);
}

/** The range of fix times to copy; empty without telemetry. */
function rangeOf({ telemetry, file }: Migration): {
  readonly fromMs: number;
  readonly toMs: number;
} {
  const span = telemetry.timeSpan() ?? { fromMs: 0, toMs: 0 };
  const fromMs = Math.min(Math.max(span.fromMs, file.progress.cutoffMs), span.toMs);
  return { fromMs, toMs: span.toMs };
}

async function copyTelemetry(migration: Migration): Promise<void> {
  const { telemetry, archive, file, signal, onStep } = migration;
  const { fromMs, toMs } = rangeOf(migration);
  const parts = Math.ceil((toMs - fromMs) / PART_MS);
  const assetIds = telemetry.assetIds();
  const sender = openPointSender(archive);
  let items = 0;
  try {
    for (const [i, assetId] of assetIds.entries()) {
      const startMs = Math.max(fromMs, file.progress.assets[assetId] ?? fromMs);
      await copyAsset(
        telemetry,
        sender,
        { assetId, fromMs: startMs, toMs },
        signal,
        async (points, endMs) => {
          items += points;
          file.progress.assets[assetId] = endMs;
          await file.save();
          const done = i * parts + Math.ceil((endMs - fromMs) / PART_MS);
          onStep({ phase: "telemetry", done, total: assetIds.length * parts, items });
        },
      );
    }
  } finally {
    sender.close();
    await file.save(true);
  }
}

async function verify(
  migration: Migration,
  tables: readonly Table[],
): Promise<Pick<MigrationResult, "tables" | "rows" | "assets" | "points">> {
  const { records, database, telemetry, archive, signal, onStep } = migration;
  const differences: string[] = [];
  const range = { ...rangeOf(migration), windowMs: CHECK_WINDOW_MS };
  const assetIds = telemetry.assetIds();
  const windows = Math.ceil((range.toMs - range.fromMs) / CHECK_WINDOW_MS);
  const total = tables.length + assetIds.length * windows;
  let done = 0;
  let rows = 0;
  let points = 0;
  const show = () => onStep({ phase: "verify", done, total, items: rows + points });
  for (const table of tables) {
    const [ours, theirs] = await Promise.all([
      tableChecksum(records ?? database, table),
      tableChecksum(database, table),
    ]);
    if (ours.rows !== theirs.rows) {
      differences.push(`table ${table.name}: ${ours.rows} rows here, ${theirs.rows} there`);
    } else if (ours.sum !== theirs.sum) {
      differences.push(`table ${table.name}: other content in its ${ours.rows} rows`);
    }
    rows += ours.rows;
    done += 1;
    show();
    signal.throwIfAborted();
  }
  for (const assetId of assetIds) {
    const [ours, theirs] = await Promise.all([
      seriesChecksum(
        (query) => telemetry.read(query),
        { assetId, ...range },
        () => undefined,
      ),
      seriesChecksum(
        (query) => archive.read(query),
        { assetId, ...range },
        () => {
          done += 1;
          show();
          signal.throwIfAborted();
        },
      ),
    ]);
    if (ours.points !== theirs.points) {
      differences.push(`asset ${assetId}: ${ours.points} points here, ${theirs.points} there`);
    } else if (ours.sha256 !== theirs.sha256) {
      differences.push(`asset ${assetId}: other values in its ${ours.points} points`);
    }
    points += ours.points;
  }
  if (differences.length > 0) throw failedComparison(differences);
  return { tables: tables.length, rows, assets: assetIds.length, points };
}

/** Differences that are listed; one is enough to begin a search. */
const MOST_LISTED = 10;

function failedComparison(differences: readonly string[]): DomainError {
  const more =
    differences.length > MOST_LISTED ? `; and ${differences.length - MOST_LISTED} more` : "";
  return new DomainError(
    "MIGRATION_FAILED",
    `the two sides differ: ${differences.slice(0, MOST_LISTED).join("; ")}${more}. Remove migrate-data.json in the source folder and migrate into an empty database to copy everything again`,
  );
}
