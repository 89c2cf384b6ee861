import { access } from "node:fs/promises";
import { join } from "node:path";
import type { Settings } from "../../config/settings.ts";
import { DomainError } from "../../domain/errors.ts";
import { migrate } from "../records/migrate.ts";
import { openPostgres } from "../records/sql/postgres.ts";
import { openArchive } from "../telemetry/open.ts";
import { type MigrationOptions, type MigrationResult, migrateData } from "./migrate-data.ts";

/**
 * Migrates to the servers that the settings name.
 * @throws DomainError `SETTINGS_INVALID` when one is missing or there is nothing at `from`; else as
 * `migrateData`.
 */
export async function runMigration(
  options: Omit<MigrationOptions, "database" | "archive" | "retentionDays"> & {
    readonly settings: Settings;
  },
): Promise<MigrationResult> {
  const { settings, from, hasRecords = false } = options;
  const { databaseUrl, retentionDays } = settings;
  if (databaseUrl === undefined) throw missing("DATABASE_URL (or --to-database)");
  const archive = openArchive(settings);
  if (archive === undefined) throw missing("INFLUX_URL (or --to-influx)");
  if (!hasRecords) await requireRecords(from);
  const database = await openPostgres(databaseUrl);
  try {
    await migrate(database);
    return await migrateData({ ...options, database, archive, retentionDays });
  } finally {
    await database.close();
  }
}

/** @throws DomainError `SETTINGS_INVALID` when there are no embedded records. */
export async function requireRecords(from: string): Promise<void> {
  await access(join(from, "records", "cluster")).catch((cause: unknown) => {
    throw new DomainError(
      "SETTINGS_INVALID",
      `${from} is not a data folder with embedded records`,
      {
        cause,
      },
    );
  });
}

const missing = (name: string): DomainError =>
  new DomainError("SETTINGS_INVALID", `${name} is not set`);
