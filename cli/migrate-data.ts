import { resolve } from "node:path";
import { readCommandSettings } from "../config/cli-settings.ts";
import type { Settings } from "../config/settings.ts";
import { DomainError } from "../domain/errors.ts";
import { countCopies } from "../storage/migration/count-copies.ts";
import type { MigrationResult } from "../storage/migration/migrate-data.ts";
import { requireRecords, runMigration } from "../storage/migration/run.ts";
import { readOptions, required } from "./arguments.ts";
import type { Command, CommandContext } from "./command.ts";
import type { MoveResult } from "./move-journal.ts";
import { createProgressBar, type ProgressBar } from "./progress-bar.ts";
import { UsageError } from "./usage-error.ts";

/** Copies the embedded stores to PostgreSQL and InfluxDB, and moves the journal to Kafka and back. */
export const migrateData: Command = {
  usage:
    "migrate-data --from DIR | --to DIR [--to-database URL] [--to-influx URL] [--kafka BROKERS] [--dry-run]",
  about:
    "--from copies records and telemetry of the data folder DIR to PostgreSQL and InfluxDB, and compares\n" +
    "both sides by counts and checksums. With KAFKA_BROKERS it then moves the journal to Kafka: what waits\n" +
    "in it, and the places of all that read it. --to brings the journal back from Kafka to DIR; records\n" +
    "stay in PostgreSQL and telemetry in InfluxDB. No service may run that takes messages in. Servers,\n" +
    "credentials and RETENTION_DAYS are the service's own settings (DATABASE_URL, INFLUX_URL,\n" +
    "INFLUX_TOKEN, KAFKA_BROKERS, ...); an option takes the place of a setting. --dry-run counts, and\n" +
    "changes nothing. Ctrl-C stops; the same command goes on where it was.",
  async run(args, context) {
    const options = readOptions(
      args,
      ["from", "to", "to-database", "to-influx", "kafka"],
      ["dry-run"],
    );
    const isBack = options.to !== undefined;
    if (isBack && options.from !== undefined)
      throw new UsageError("--from and --to are both given");
    const dataDir = resolve(isBack ? required("to", options.to) : required("from", options.from));
    const settings = readCommandSettings({
      DATABASE_URL: options["to-database"],
      INFLUX_URL: options["to-influx"],
      KAFKA_BROKERS: options.kafka,
    });
    const isKafka = settings.kafkaBrokers.length > 0;
    if (isBack && !isKafka) {
      throw new DomainError("SETTINGS_INVALID", "KAFKA_BROKERS (or --kafka) is not set");
    }
    const migration = { settings, dataDir, isBack, isKafka };
    if (options["dry-run"] !== undefined) {
      for (const line of await plan(migration, context)) context.say(line);
      context.say("dry run: nothing was copied or moved");
      return;
    }
    const bar = createProgressBar(process.stderr);
    try {
      for (const line of await migrate(migration, context, bar)) context.say(line);
    } catch (error) {
      bar.stop();
      if (!context.signal.aborted) throw error;
      throw new DomainError("MIGRATION_FAILED", "stopped; the same command goes on from here");
    }
  },
};

interface Migration {
  readonly settings: Settings;
  readonly dataDir: string;
  readonly isBack: boolean;
  readonly isKafka: boolean;
}

async function plan(
  { settings, dataDir, isBack, isKafka }: Migration,
  { signal }: CommandContext,
): Promise<readonly string[]> {
  const nowMs = Date.now();
  if (isKafka) {
    // The client of Kafka takes long to load.
    const { planMoveBack, planMoveOut } = await import("./plan-move.ts");
    const options = { settings, dataDir, nowMs, signal };
    return isBack ? await planMoveBack(options) : await planMoveOut(options);
  }
  await requireRecords(dataDir);
  const { retentionDays } = settings;
  const counts = { hasRecords: false, retentionDays, nowMs, signal };
  const { rows, tables, points, assets } = await countCopies(dataDir, counts);
  return [`${rows} rows of ${tables} tables and ${points} points of ${assets} assets to copy`];
}

async function migrate(
  { settings, dataDir, isBack, isKafka }: Migration,
  { signal }: CommandContext,
  bar: ProgressBar,
): Promise<readonly string[]> {
  const options = { settings, signal, nowMs: Date.now(), onStep: bar.show };
  if (!isKafka) {
    const result = await runMigration({ ...options, from: dataDir });
    bar.stop();
    return copiedLines(result);
  }
  const { moveBack, moveOut } = await import("./move-journal.ts");
  const move = isBack ? moveBack : moveOut;
  const result = await move({ ...options, dataDir });
  bar.stop();
  return [
    ...(result.copied === undefined ? [] : copiedLines(result.copied)),
    movedLine(result, isBack),
  ];
}

function copiedLines(result: MigrationResult): readonly string[] {
  const { tables, rows, assets, points, isResumed, cutoffMs } = result;
  return [
    `${isResumed ? "resumed; " : ""}${rows} rows of ${tables} tables and ${points} points of ${assets} assets are equal on both sides by count and checksum`,
    `points before ${new Date(cutoffMs).toISOString()} were left behind: RETENTION_DAYS is about to drop them`,
  ];
}

function movedLine({ topic, moved }: MoveResult, isBack: boolean): string {
  const where = isBack ? "the data folder" : `Kafka, topic ${topic}`;
  if (moved === undefined) return `the journal is in ${where} already: nothing to do`;
  const { records, isResumed } = moved;
  const next = isBack
    ? "start the service without KAFKA_BROKERS and with this DATA_DIR"
    : "start the ingest processes with KAFKA_BROKERS";
  return `${isResumed ? "resumed; " : ""}the journal is in ${where}: ${records} waiting records were moved, and read back the same; ${next}`;
}
