import { createHash, randomBytes } from "node:crypto";
import { cp, mkdtemp, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { RecordStore } from "../../storage/ports/record-store.ts";
import { migrate } from "../../storage/records/migrate.ts";
import { createRecordStore, openRecordStore } from "../../storage/records/open.ts";
import { openPglite } from "../../storage/records/pglite/open.ts";
import type { Database } from "../../storage/records/sql/database.ts";
import { openPostgres } from "../../storage/records/sql/postgres.ts";

/** A record store of a test file, with the database below it for what the port does not show. */
export interface TestRecords {
  readonly store: RecordStore;
  readonly database: Database;
  /** Empties every table. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

/** One engine that the contract runs on; `open` is called once per file. */
export interface RecordBackend {
  readonly name: string;
  /** Why it cannot run here; `undefined` when it can. */
  readonly absent: string | undefined;
  /** Whether `REQUIRE_BACKENDS` makes its absence a failure. */
  readonly required: boolean;
  open(): Promise<TestRecords>;
}

const databaseUrl = process.env["DATABASE_URL"];
const requiredBackends = (process.env["REQUIRE_BACKENDS"] ?? "").split(",");

export const PGLITE: RecordBackend = {
  name: "pglite",
  absent: undefined,
  required: true,
  async open() {
    const dir = await freshRecordsDir();
    // What survives a crash is tested elsewhere: no test here waits for the disk.
    const database = await openPglite(dir, { parameters: ["-c", "fsync=off"] });
    return testRecords(database, () => rm(dir, { recursive: true }));
  },
};

export const POSTGRES: RecordBackend = {
  name: "postgres",
  absent: databaseUrl === undefined ? "DATABASE_URL is not set" : undefined,
  required: requiredBackends.includes("postgres"),
  async open() {
    const { url, drop } = await createPostgresDatabase();
    const database = await openPostgres(url);
    await migrate(database);
    return testRecords(database, drop);
  },
};

/** A new, empty database on the server of `DATABASE_URL`. */
export async function createPostgresDatabase(): Promise<{
  readonly url: string;
  drop(): Promise<void>;
}> {
  if (databaseUrl === undefined) throw new Error("DATABASE_URL is not set");
  const name = `plumbline_test_${randomBytes(6).toString("hex")}`;
  await administer(`CREATE DATABASE ${name}`);
  const url = new URL(databaseUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => administer(`DROP DATABASE ${name} WITH (FORCE)`) };
}

async function administer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(sql);
  await client.end();
}

/** A folder of its own with an empty, migrated embedded database. */
export async function freshRecordsDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "plumbline-records-"));
  await cp(await templateDir(), dir, { recursive: true });
  return dir;
}

/** A `DATA_DIR` for one service process, with such a database in it. */
export async function freshDataDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "plumbline-data-"));
  await cp(await templateDir(), join(dir, "records"), { recursive: true });
  return dir;
}

/**
 * A migrated database folder, made once per schema, prepared database, PGlite version and user, and kept in the
 * temporary folder between runs. Nobody opens it: it is copied.
 */
async function templateDir(): Promise<string> {
  const records = new URL("../../storage/records/", import.meta.url);
  const hash = createHash("sha256");
  const pglite = new URL("../../node_modules/@electric-sql/pglite/package.json", import.meta.url);
  hash.update(await readFile(pglite));
  for (const folder of ["migrations/", "pglite/prepared/"].map((name) => new URL(name, records))) {
    for (const name of (await readdir(folder)).sort()) {
      hash.update(await readFile(new URL(name, folder)));
    }
  }
  const owner = process.getuid?.() ?? "user";
  const key = hash.digest("hex").slice(0, 16);
  const dir = join(tmpdir(), `plumbline-template-${owner}-${key}`);
  if (await exists(dir)) return dir;
  const unfinished = await mkdtemp(`${dir}-`);
  const store = await openRecordStore({ dataDir: unfinished, databaseUrl: undefined });
  await store.close();
  // Another test file may have been faster; both are the same.
  await rename(unfinished, dir).catch(() => rm(unfinished, { recursive: true }));
  return dir;
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** In one function: its plans are made once, not for each of the hundreds of tests of a file. */
const CREATE_RESET = `
  CREATE OR REPLACE FUNCTION empty_tables() RETURNS void LANGUAGE plpgsql AS $$ BEGIN
  DELETE FROM asset_assignments; DELETE FROM assets;
  DELETE FROM geofence_versions; DELETE FROM geofences;
  DELETE FROM zone_observations; DELETE FROM zone_labels; DELETE FROM zone_views;
  DELETE FROM zone_estimates; DELETE FROM progress_reports; DELETE FROM captures;
  DELETE FROM capture_datums; DELETE FROM schedules; DELETE FROM site_cameras;
  DELETE FROM work_zones; DELETE FROM stockpile_measurements; DELETE FROM stockpiles;
  DELETE FROM stored_files; DELETE FROM project_storage; DELETE FROM projects; DELETE FROM project_ids; DELETE FROM api_keys;
  DELETE FROM asset_state; DELETE FROM state_changes; DELETE FROM request_counts;
  DELETE FROM utilization_days; DELETE FROM pipeline_checkpoint;
  DELETE FROM quarantine; DELETE FROM quarantine_days; DELETE FROM events;
  DELETE FROM idempotency_keys; DELETE FROM visits; DELETE FROM alerts; DELETE FROM alert_mutes;
  DELETE FROM pipeline_shared; DELETE FROM leases; DELETE FROM journal_places;
  DELETE FROM log_layouts; DELETE FROM log_handovers; DELETE FROM log_writers;
  DELETE FROM webhooks; DELETE FROM commands; DELETE FROM maintenance_plans;
  DELETE FROM maintenance_services; DELETE FROM telemetry_dead_letters;
  DELETE FROM jobs; DELETE FROM payload_mappings;
  DELETE FROM fleet_source_polls; DELETE FROM fleet_sources;
  DELETE FROM forwarder_progress; DELETE FROM forwarders; DELETE FROM secret_check;
  DELETE FROM connection_log; DELETE FROM message_questions; DELETE FROM message_answers;
  DELETE FROM ingest_nodes; DELETE FROM client_sessions; DELETE FROM lost_client_sessions;
  DELETE FROM client_takeovers;
  DELETE FROM sessions; UPDATE counters SET value = 0;
  END $$`;

async function testRecords(
  database: Database,
  afterClose: () => Promise<void>,
): Promise<TestRecords> {
  await database.query(CREATE_RESET);
  return {
    store: createRecordStore(database),
    database,
    async reset() {
      await database.query("SELECT empty_tables()");
    },
    async close() {
      await database.close();
      await afterClose();
    },
  };
}
