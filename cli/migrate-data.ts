import { resolve } from "node:path";
import { readCommandSettings } from "../config/cli-settings.ts";
import { DomainError } from "../domain/errors.ts";
import type { MigrationResult } from "../storage/migration/migrate-data.ts";
import { runMigration } from "../storage/migration/run.ts";
import { readOptions, required } from "./arguments.ts";
import type { Command } from "./command.ts";
import { createProgressBar } from "./progress-bar.ts";

/** Copies the embedded stores to PostgreSQL and InfluxDB. */
export const migrateData: Command = {
  usage: "migrate-data --from DIR [--to-database URL] [--to-influx URL]",
  about:
    "Copies records and telemetry of the data folder DIR to PostgreSQL and InfluxDB, and compares both\n" +
    "sides by counts and checksums. The service must not run. Servers, credentials and RETENTION_DAYS\n" +
    "are the service's own settings (DATABASE_URL, INFLUX_URL, INFLUX_TOKEN, ...); an option takes the\n" +
    "place of a setting. Ctrl-C stops; the same command goes on where it was.",
  async run(args, { signal, say }) {
    const options = readOptions(args, ["from", "to-database", "to-influx"]);
    const from = resolve(required("from", options.from));
    const settings = readCommandSettings({
      DATABASE_URL: options["to-database"],
      INFLUX_URL: options["to-influx"],
    });
    const bar = createProgressBar(process.stderr);
    let result: MigrationResult;
    try {
      result = await runMigration({ settings, from, signal, nowMs: Date.now(), onStep: bar.show });
    } catch (error) {
      bar.stop();
      if (!signal.aborted) throw error;
      throw new DomainError("MIGRATION_FAILED", "stopped; the same command goes on from here");
    }
    bar.stop();
    const { tables, rows, assets, points, isResumed, cutoffMs } = result;
    say(
      `${isResumed ? "resumed; " : ""}${rows} rows of ${tables} tables and ${points} points of ${assets} assets are equal on both sides by count and checksum`,
    );
    say(
      `points before ${new Date(cutoffMs).toISOString()} were left behind: RETENTION_DAYS is about to drop them`,
    );
  },
};
