import type { Settings } from "../config/settings.ts";
import { refuseGrownTopic } from "../ingest/journal-move/one-layout.ts";
import { readPlaces } from "../ingest/journal-move/readers.ts";
import { countWaiting } from "../ingest/journal-move/to-folder.ts";
import { countBacklog } from "../ingest/journal-move/to-kafka.ts";
import { countCopies } from "../storage/migration/count-copies.ts";
import { homeIn } from "../storage/migration/journal-home.ts";
import { openRecords } from "../storage/open.ts";
import {
  findUncopied,
  openFolderStores,
  openOwnRecords,
  requireJournal,
} from "../storage/open-move.ts";
import { findSharedTopic, openMovableLog } from "../storage/open-shared.ts";
import { ARCHIVE_CURSOR } from "../storage/ports/telemetry-archive.ts";
import { requireTopic } from "./move-journal.ts";

/** What a dry run is given. */
export interface PlanOptions {
  readonly settings: Settings;
  readonly dataDir: string;
  readonly nowMs: number;
  readonly signal: AbortSignal;
}

/** What a move to Kafka would do, a line each; changes nothing on the servers. @throws for a topic that partitions were added to. */
export async function planMoveOut(options: PlanOptions): Promise<readonly string[]> {
  const { settings, dataDir, nowMs, signal } = options;
  await requireJournal(dataDir);
  const { topic, found } = await findSharedTopic(settings);
  const partitions = found?.partitions ?? settings.kafkaPartitions;
  const stores = await openFolderStores(settings, dataDir);
  try {
    const { journal, records } = stores;
    const home = homeIn(await records.pipeline.shared());
    if (home?.at === "kafka") return [`the journal is in Kafka already, topic ${home.topic}`];
    if (found !== undefined) await refuseGrownTopic(records, { topic, ...found });
    const uncopied = await findUncopied(dataDir, stores, nowMs);
    const copies = uncopied.telemetry
      ? await countCopies(dataDir, {
          hasRecords: !uncopied.records,
          ...{ retentionDays: settings.retentionDays, nowMs, signal },
        })
      : undefined;
    const { position } = copies ?? {};
    const copiedTo = position?.journalId === journal.id ? position.sequence : 0;
    const archived = Math.max(journal.cursor(ARCHIVE_CURSOR).sequence, copiedTo);
    const own = uncopied.records ? await openOwnRecords(settings, dataDir) : undefined;
    try {
      const places = await readPlaces(journal, own ?? records, archived);
      const count = await countBacklog({
        ...{ journal, places, partitions },
      });
      const where = `${count.partitions} of ${partitions} partitions of topic ${topic}`;
      return [
        ...(uncopied.records
          ? [`${copies?.rows ?? 0} rows of ${copies?.tables ?? 0} tables to copy to PostgreSQL`]
          : ["the records are in PostgreSQL"]),
        ...(copies === undefined
          ? ["the telemetry is in InfluxDB"]
          : [`${copies.points} points of ${copies.assets} assets to copy to InfluxDB`]),
        `${count.records} records of the journal to move to ${where}: ${count.notProcessed} not processed, ${count.notArchived} not in InfluxDB`,
        ...(found === undefined ? ["the topic is not there yet, and will be made"] : []),
      ];
    } finally {
      await own?.close();
    }
  } finally {
    await stores.close();
  }
}

/** What a move back would do, a line each; changes nothing. @throws for a topic that partitions were added to. */
export async function planMoveBack(
  options: Omit<PlanOptions, "dataDir">,
): Promise<readonly string[]> {
  const { settings, nowMs } = options;
  await requireTopic(settings);
  const log = await openMovableLog(settings);
  try {
    const records = await openRecords(settings);
    try {
      const home = homeIn(await records.pipeline.shared());
      if (home?.at === "folder") return ["the journal is in a data folder already"];
      await refuseGrownTopic(records, log);
      const { notProcessed, notPassed } = await countWaiting(log, records, nowMs);
      return [
        `${notPassed} records of topic ${log.topic} to move, ticks included: ${notProcessed} not processed`,
      ];
    } finally {
      await records.close();
    }
  } finally {
    await log.close();
  }
}
