import type { Settings } from "../config/settings.ts";
import { DomainError } from "../domain/errors.ts";
import { holdIngest } from "../ingest/journal-move/hold-ingest.ts";
import type { Moved } from "../ingest/journal-move/move-progress.ts";
import { beginMoveToFolder, isMovedBack } from "../ingest/journal-move/to-folder.ts";
import { isMovedTo, moveToKafka } from "../ingest/journal-move/to-kafka.ts";
import { fillLocalTelemetry } from "../storage/migration/fill-local.ts";
import {
  homeIn,
  readFolderNote,
  removeFolderNote,
  writeFolderNote,
} from "../storage/migration/journal-home.ts";
import type { MigrationResult, MigrationStep } from "../storage/migration/migrate-data.ts";
import { runMigration } from "../storage/migration/run.ts";
import { findUncopied, openMoveStores, requireJournal } from "../storage/open-move.ts";
import { findSharedTopic } from "../storage/open-shared.ts";
import { ARCHIVE_CURSOR } from "../storage/ports/telemetry-archive.ts";

/** What a move is given. */
export interface MoveOptions {
  readonly settings: Settings;
  /** The data folder that the journal moves out of, or back into. */
  readonly dataDir: string;
  readonly nowMs: number;
  readonly signal: AbortSignal;
  readonly onStep: (step: MigrationStep) => void;
}

/** A move that has ended. `undefined`: it had ended before. */
export interface MoveResult {
  readonly topic: string;
  readonly moved: Moved | undefined;
  /** What was copied before the journal moved. */
  readonly copied: MigrationResult | undefined;
}

/** Copies what PostgreSQL and InfluxDB do not have, then moves the journal to Kafka. @throws as its parts. */
export async function moveOut(options: MoveOptions): Promise<MoveResult> {
  const { settings, dataDir, nowMs, signal, onStep } = options;
  await requireJournal(dataDir);
  const stores = await openMoveStores(settings, dataDir);
  try {
    const { journal, records, log } = stores;
    const { topic, topicId } = log;
    const home = homeIn(await records.pipeline.shared());
    if (isMovedTo(home, journal.id, topicId)) {
      await writeFolderNote(dataDir, { state: "kafka", topic, topicId });
      return { topic, moved: undefined, copied: undefined };
    }
    const isMoving = home?.at === "moving";
    const uncopied = isMoving ? NOTHING : await findUncopied(dataDir, stores, nowMs);
    const move = async (archived: number): Promise<Moved> => {
      // Nobody works yet with a database that was only just filled, and another run compares it again.
      const holding = uncopied.records ? undefined : await holdIngest(records.leases, journal.id);
      try {
        const onBegun = () => writeFolderNote(dataDir, { state: "moving", topic, topicId });
        const moving = { ...{ journal, records, log, archived }, ...{ nowMs, signal, onStep } };
        const moved = await moveToKafka({ ...moving, onBegun });
        await writeFolderNote(dataDir, { state: "kafka", topic, topicId });
        return moved;
      } finally {
        await holding?.release();
      }
    };
    const inArchive = journal.cursor(ARCHIVE_CURSOR).sequence;
    if (!uncopied.telemetry) {
      return { topic, moved: await move(inArchive), copied: undefined };
    }
    let moved: Moved | undefined;
    const copied = await runMigration({
      ...{ settings, from: dataDir, signal, nowMs, onStep },
      hasRecords: !uncopied.records,
      isLocked: true,
      async onEqual(position) {
        const copiedTo = position?.journalId === journal.id ? position.sequence : 0;
        moved = await move(Math.max(inArchive, copiedTo));
      },
    });
    return { topic, moved, copied };
  } finally {
    await stores.close();
  }
}

const NOTHING = { records: false, telemetry: false };

/** Moves what waits in Kafka into the journal of a data folder. @throws as its parts. */
export async function moveBack(options: MoveOptions): Promise<MoveResult> {
  const { settings, dataDir, nowMs, signal, onStep } = options;
  await requireTopic(settings);
  const stores = await openMoveStores(settings, dataDir);
  try {
    const { journal, records, log, archive } = stores;
    const { topic, topicId } = log;
    const home = homeIn(await records.pipeline.shared());
    if (isMovedBack(home, journal.id, topicId)) {
      await removeFolderNote(dataDir);
      return { topic, moved: undefined, copied: undefined };
    }
    const holding = await holdIngest(records.leases, journal.id);
    try {
      const note = await readFolderNote(dataDir);
      const isSpent = note?.topicId === topicId;
      const moving = { ...{ journal, records, log, isSpent }, ...{ nowMs, signal, onStep } };
      const move = await beginMoveToFolder(moving);
      try {
        await writeFolderNote(dataDir, { state: "moving", topic, topicId });
        const { rows } = await records.assets.changesSince(0);
        const position = { journalId: journal.id, sequence: move.begin };
        await fillLocalTelemetry({
          ...{ dataDir, archive, position, nowMs, signal, onStep },
          assets: new Map(rows.map(({ asset }) => [asset.id, asset.project_id])),
        });
        const moved = await move.finish();
        await removeFolderNote(dataDir);
        return { topic, moved, copied: undefined };
      } finally {
        await move.close();
      }
    } finally {
      await holding.release();
    }
  } finally {
    await stores.close();
  }
}

/** A topic that is not there would be made, and nothing would be found in it. @throws DomainError `SETTINGS_INVALID`. */
export async function requireTopic(settings: Settings): Promise<void> {
  const { topic, found } = await findSharedTopic(settings);
  if (found !== undefined) return;
  throw new DomainError(
    "SETTINGS_INVALID",
    `there is no topic ${topic} at KAFKA_BROKERS: is KAFKA_TOPIC_PREFIX that of the ingest processes?`,
  );
}
