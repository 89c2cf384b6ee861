import { access } from "node:fs/promises";
import { join } from "node:path";
import type { Settings } from "../config/settings.ts";
import { DomainError } from "../domain/errors.ts";
import { openJournal } from "./journal/journal.ts";
import { PROGRESS_FILE } from "./migration/progress-file.ts";
import { openRecords } from "./open.ts";
import { openMovableLog } from "./open-shared.ts";
import type { Journal } from "./ports/journal.ts";
import type { MovableLog } from "./ports/movable-log.ts";
import type { RecordStore } from "./ports/record-store.ts";
import { ARCHIVE_CURSOR, type TelemetryArchive } from "./ports/telemetry-archive.ts";
import { openArchive } from "./telemetry/open.ts";
import { isArchivePartial } from "./telemetry/tiered/tier-start.ts";

/** What a move of the journal works with. */
export interface MoveStores {
  /** Of the data folder, which nobody else can open meanwhile. */
  readonly journal: Journal;
  /** In PostgreSQL. */
  readonly records: RecordStore;
  readonly archive: TelemetryArchive;
  readonly log: MovableLog;
  close(): Promise<void>;
}

/**
 * Opens the journal of a data folder, and the servers that the settings name. A journal that is not there is made.
 * @throws DomainError `STORE_LOCKED` while a service runs on the folder, `STORE_UNAVAILABLE`, `SCHEMA_TOO_NEW`.
 */
export async function openMoveStores(settings: Settings, dataDir: string): Promise<MoveStores> {
  const archive = openArchive(settings);
  // readSettings has refused Kafka without it.
  if (archive === undefined) throw new Error("KAFKA_BROKERS without INFLUX_URL");
  const stores = await openFolderStores(settings, dataDir);
  try {
    const log = await openMovableLog(settings);
    return {
      ...{ journal: stores.journal, records: stores.records, archive, log },
      async close() {
        await log.close();
        await stores.close();
      },
    };
  } catch (error) {
    await stores.close().catch(() => undefined);
    throw error;
  }
}

/** The journal of a data folder and the record store of the settings. @throws DomainError as `openMoveStores`. */
export async function openFolderStores(
  settings: Settings,
  dataDir: string,
): Promise<Pick<MoveStores, "journal" | "records" | "close">> {
  const { minFreeDiskBytes: minFreeBytes } = settings;
  const journal = await openJournal({ dir: join(dataDir, "journal"), minFreeBytes });
  try {
    const records = await openRecords(settings);
    return {
      ...{ journal, records },
      async close() {
        await records.close();
        await journal.close();
      },
    };
  } catch (error) {
    await journal.close().catch(() => undefined);
    throw error;
  }
}

/** The embedded records of a data folder. */
export const openOwnRecords = (settings: Settings, dataDir: string): Promise<RecordStore> =>
  openRecords({ ...settings, dataDir, databaseUrl: undefined });

/** What of a data folder the servers do not have yet, beside its journal. */
export interface Uncopied {
  readonly records: boolean;
  readonly telemetry: boolean;
}

/** Finds out what has to be copied before the journal of a data folder can move. */
export async function findUncopied(
  dataDir: string,
  { journal, records }: Pick<MoveStores, "journal" | "records">,
  nowMs: number,
): Promise<Uncopied> {
  const hasOwn = await isThere(join(dataDir, "records", "cluster"));
  const checkpoint = await records.pipeline.checkpoint();
  const isCopying = await isThere(join(dataDir, PROGRESS_FILE));
  // A service has gone on with PostgreSQL since an earlier migration, or always did.
  const isInUse = checkpoint?.journalId === journal.id && !isCopying;
  if (hasOwn && !isInUse) return { records: true, telemetry: true };
  const hasTelemetry = await isThere(join(dataDir, "telemetry"));
  const isArchived =
    journal.cursor(ARCHIVE_CURSOR).sequence > 0 && !(await isArchivePartial(dataDir, nowMs));
  return { records: false, telemetry: hasTelemetry && !isArchived };
}

/** @throws DomainError `SETTINGS_INVALID` for a folder without a journal. */
export async function requireJournal(dataDir: string): Promise<void> {
  if (await isThere(join(dataDir, "journal", "cursors.json"))) return;
  throw new DomainError("SETTINGS_INVALID", `${dataDir} is not a data folder with a journal`);
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
