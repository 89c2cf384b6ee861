import { mkdir, readFile } from "node:fs/promises";
import type { Settings } from "../config/settings.ts";
import { DomainError } from "../domain/errors.ts";
import type { DamageLog } from "./check/damage-log.ts";
import { loadNodeId } from "./data-folder/node-id.ts";
import { KafkaLog } from "./kafka/kafka-log.ts";
import type { KafkaOptions, KafkaTls } from "./kafka/options.ts";
import { openPartitionJournal } from "./kafka/partition-journal.ts";
import { refuseSharedStart } from "./migration/journal-home.ts";
import { openRecords } from "./open.ts";
import type { MovableLog } from "./ports/movable-log.ts";
import type { RecordStore } from "./ports/record-store.ts";
import type { SharedJournal } from "./ports/shared-journal.ts";
import { ARCHIVE_CURSOR, type TelemetryArchive } from "./ports/telemetry-archive.ts";
import { openArchive } from "./telemetry/open.ts";

/** The stores of one of several ingest processes on Kafka: nothing that must last is on this machine. */
export interface SharedStores {
  readonly journal: SharedJournal;
  readonly records: RecordStore;
  readonly archive: TelemetryArchive;
  /** Who this process is; the same after a restart. */
  readonly nodeId: string;
  close(onClosed?: () => void): Promise<void>;
}

/**
 * Opens the stores that several ingest processes share.
 * @throws DomainError as `openRecords` and `KafkaLog.open`, and `SETTINGS_INVALID` for a file that cannot be read.
 */
export async function openSharedStores(
  settings: Settings,
  damage: DamageLog,
): Promise<SharedStores> {
  await mkdir(settings.dataDir, { recursive: true });
  const archive = openArchive(settings);
  // readSettings has refused the setting without it.
  if (archive === undefined) throw new Error("KAFKA_BROKERS without INFLUX_URL");
  const nodeId = await loadNodeId(settings.dataDir);
  const records = await openRecords(settings, damage);
  try {
    await refuseSharedStart(records.pipeline);
    const journal = await openSharedJournal(settings, nodeId, records);
    return {
      journal,
      records,
      archive,
      nodeId,
      async close(onClosed) {
        for (const store of [journal, records]) {
          await store.close();
          onClosed?.();
        }
      },
    };
  } catch (error) {
    await records.close();
    throw error;
  }
}

async function openSharedJournal(
  settings: Settings,
  nodeId: string,
  { journalPlaces: places }: Pick<RecordStore, "journalPlaces">,
): Promise<SharedJournal> {
  const { log, group } = await openLog(settings, `plumbline-${nodeId}`);
  return {
    id: log.id,
    get partitions() {
      return log.partitions;
    },
    get state() {
      return log.state;
    },
    get trouble() {
      return log.trouble;
    },
    append: (record, done) => log.append(record, done),
    onState: (listener) => log.onState(listener),
    onCommit: (listener) => log.onCommit(listener),
    async openPartition(partition) {
      const reader = await log.openReader(partition);
      const kept = [ARCHIVE_CURSOR];
      return await openPartitionJournal({ log, reader, partition, places, kept });
    },
    join: (onAssigned, isAble) => log.join(group, onAssigned, isAble),
    close: () => log.close(),
  };
}

/** Our name at the brokers while records are moved. */
const MOVER = "plumbline-migrate-data";

/**
 * Opens the journal that ingest processes share, to move records to it or from it.
 * @throws DomainError as `openSharedStores`.
 */
export async function openMovableLog(settings: Settings): Promise<MovableLog> {
  const { log, topic, group } = await openLog(settings, MOVER);
  return {
    topic,
    topicId: log.id,
    partitions: log.partitions,
    get trouble() {
      return log.trouble;
    },
    append: (record, done) => log.append(record, done),
    members: () => log.members(group),
    openSource: (partition) => log.openReader(partition),
    close: () => log.close(),
  };
}

/** The topic's name, and what it is; `undefined`: there is none yet. @throws DomainError as `openMovableLog`. */
export async function findSharedTopic(settings: Settings): Promise<{
  readonly topic: string;
  readonly found: Pick<MovableLog, "topicId" | "partitions"> | undefined;
}> {
  const options = await kafkaOptions(settings, MOVER);
  const { topic } = namesOf(settings);
  const found = await KafkaLog.find({ ...options, topic });
  return { topic, found: found && { topicId: found.id, partitions: found.partitions } };
}

async function openLog(
  settings: Settings,
  clientId: string,
): Promise<{ readonly log: KafkaLog; readonly topic: string; readonly group: string }> {
  const options = await kafkaOptions(settings, clientId);
  const { topic, group } = namesOf(settings);
  const log = await KafkaLog.open({ ...options, topic, partitions: settings.kafkaPartitions });
  return { log, topic, group };
}

const namesOf = ({ kafkaTopicPrefix: prefix }: Pick<Settings, "kafkaTopicPrefix">) => ({
  topic: `${prefix}.records`,
  group: `${prefix}.pipelines`,
});

/** How the settings say that the brokers are reached. */
async function kafkaOptions(settings: Settings, clientId: string): Promise<KafkaOptions> {
  const { kafkaBrokers: brokers, kafkaSaslMechanism: mechanism } = settings;
  const { kafkaUsername: username = "", kafkaPassword: password = "" } = settings;
  return {
    brokers,
    clientId,
    tls: settings.kafkaTls === "true" ? await readTls(settings) : undefined,
    sasl: mechanism === "none" ? undefined : { mechanism, username, password },
  };
}

async function readTls(settings: Settings): Promise<KafkaTls> {
  return {
    ca: await pem("KAFKA_CA_FILE", settings.kafkaCaFile),
    cert: await pem("KAFKA_CERT_FILE", settings.kafkaCertFile),
    key: await pem("KAFKA_KEY_FILE", settings.kafkaKeyFile),
  };
}

async function pem(env: string, file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    throw new DomainError("SETTINGS_INVALID", `${env} ${file} cannot be read`, { cause });
  }
}
