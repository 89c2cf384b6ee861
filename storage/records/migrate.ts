import { readdir, readFile } from "node:fs/promises";
import { DomainError } from "../../domain/errors.ts";
import type { Database, Queryable } from "./sql/database.ts";

/** One numbered step of the schema: `0001_initial.sql` is version 1. */
interface Migration {
  readonly version: number;
  readonly file: URL;
}

/** Our key among the advisory locks of a shared database ("plumblin" in ASCII, as a bigint). */
const LOCK_KEY = "8100978942395836782";
const FILE_NAME = /^(\d{4})_[a-z0-9_]+\.sql$/;
/** Beside this module in the sources and, copied by the build, in dist. */
const FOLDER = new URL("./migrations/", import.meta.url);

/**
 * Brings the schema to this program's version, one transaction per step. Several processes may do
 * so at once: a transaction-level lock lets one go first, and the others find the work done.
 * @throws DomainError `SCHEMA_TOO_NEW` when a newer program has migrated the database already.
 */
export async function migrate(database: Database, folder: URL = FOLDER): Promise<void> {
  const migrations = await readMigrations(folder);
  for (;;) {
    const next = await database.transaction((transaction) => migrateOnce(transaction, migrations));
    if (next === undefined) return;
  }
}

/** Applies the next step and yields its version; `undefined` when the schema is up to date. */
async function migrateOnce(
  transaction: Queryable,
  migrations: readonly Migration[],
): Promise<number | undefined> {
  await transaction.query("SELECT pg_advisory_xact_lock($1::bigint)", [LOCK_KEY]);
  await transaction.query(`CREATE TABLE IF NOT EXISTS schema_migrations (
    version integer PRIMARY KEY,
    applied_at timestamptz NOT NULL DEFAULT now()
  )`);
  const [row] = await transaction.query<{ version: number }>(
    "SELECT coalesce(max(version), 0) AS version FROM schema_migrations",
  );
  const current = row?.version ?? 0;
  refuseNewer(current, migrations.length);
  const next = migrations[current];
  if (next === undefined) return undefined;
  await transaction.query(await readFile(next.file, "utf8"));
  await transaction.query("INSERT INTO schema_migrations (version) VALUES ($1)", [next.version]);
  return next.version;
}

/**
 * Checks a database that nobody is going to migrate.
 * @throws DomainError `SCHEMA_TOO_NEW` when a newer program has migrated it.
 */
export async function refuseNewerSchema(database: Queryable): Promise<void> {
  const rows = await database
    .query<{ version: number | null }>("SELECT max(version) AS version FROM schema_migrations")
    // Damaged, or of before the first step.
    .catch(() => []);
  refuseNewer(rows[0]?.version ?? 0, (await readMigrations(FOLDER)).length);
}

function refuseNewer(version: number, known: number): void {
  if (version <= known) return;
  throw new DomainError(
    "SCHEMA_TOO_NEW",
    `the database has schema version ${version}, this program knows versions up to ${known}: use the newer program`,
  );
}

async function readMigrations(folder: URL): Promise<readonly Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  return names.map((name, index) => {
    const version = Number(FILE_NAME.exec(name)?.[1]);
    if (version !== index + 1) {
      throw new Error(`migration ${name} is not number ${index + 1} of ${folder.pathname}`);
    }
    return { version, file: new URL(name, folder) };
  });
}
