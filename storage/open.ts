import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Settings } from "../config/settings.ts";
import { DomainError } from "../domain/errors.ts";
import { type Backups, createBackups } from "./backup/backup.ts";
import { refuseUnfinishedRestore } from "./backup/unfinished-restore.ts";
import { type DamageLog, openDamageLog } from "./check/damage-log.ts";
import {
  journalDamage,
  recordsDamage,
  refuseEmptyTelemetry,
  refuseLostRecords,
  refuseLostTelemetry,
  replacedJournal,
  telemetryDamage,
} from "./check/found-damage.ts";
import type { DiskSpace } from "./disk/disk-space.ts";
import { openFileStore } from "./files/open.ts";
import { createOwnAddresses, type OwnAddresses } from "./files/own-addresses.ts";
import { createFileUrlSigner } from "./files/signed-url.ts";
import { openJournal } from "./journal/journal.ts";
import { refuseSingleStart } from "./migration/journal-home.ts";
import type { FileStore } from "./ports/files.ts";
import type { Journal } from "./ports/journal.ts";
import type { StoredFiles } from "./ports/platform/stored-files.ts";
import type { RecordStore } from "./ports/record-store.ts";
import { ARCHIVE_CURSOR, type TelemetryArchive } from "./ports/telemetry-archive.ts";
import type { TelemetryStore } from "./ports/telemetry-store.ts";
import { createCountedFiles } from "./quota/counted-files.ts";
import { createProjectQuota, type ProjectQuota } from "./quota/quota.ts";
import { openRecordStore } from "./records/open.ts";
import { openArchive, openTelemetry, type TelemetrySettings } from "./telemetry/open.ts";
import type { TieredTelemetryStore } from "./telemetry/tiered/store.ts";

type RecordSettings = Pick<
  Settings,
  "dataDir" | "databaseUrl" | "databaseConnections" | "databaseStatementMs"
>;

/** Every store of one process. */
export interface Stores {
  readonly journal: Journal;
  readonly telemetry: TelemetryStore;
  readonly records: RecordStore;
  /** With `INFLUX_URL`: the server that keeps all telemetry, and the store of this machine in front. */
  readonly tier:
    | {
        readonly archive: TelemetryArchive;
        readonly local: TelemetryStore;
        readonly store: TieredTelemetryStore;
      }
    | undefined;
  /** Archives of the stores of this process. */
  readonly backups: Backups;
  /**
   * Closes in an order that lets the journal learn what the others made durable, and reports each store that has
   * closed.
   */
  close(onClosed?: () => void): Promise<void>;
}

/**
 * Opens the stores that the settings ask for; `disk` admits backups. What was opened is closed again when
 * a later one fails. What is found damaged and does not keep the stores from working is noted in `damage`.
 * @throws DomainError `STORE_LOCKED` when another process has the data folder, `STORE_UNAVAILABLE`,
 * `SCHEMA_TOO_NEW`, `STORE_DAMAGED`, `JOURNAL_CORRUPT`.
 */
export async function openStores(
  settings: TelemetrySettings & RecordSettings & Pick<Settings, "minFreeDiskBytes">,
  disk: DiskSpace,
  damage: DamageLog = openDamageLog(settings.dataDir),
): Promise<Stores> {
  const opened: { close(): Promise<void> }[] = [];
  async function keep<T extends { close(): Promise<void> }>(store: Promise<T>): Promise<T> {
    const ready = await store;
    opened.unshift(ready);
    return ready;
  }
  async function close(onClosed?: () => void): Promise<void> {
    for (const store of opened) {
      await store.close();
      onClosed?.();
    }
  }
  try {
    await mkdir(settings.dataDir, { recursive: true });
    await refuseUnfinishedRestore(settings.dataDir);
    const journal = await keep(
      openJournal({
        dir: join(settings.dataDir, "journal"),
        ...(settings.minFreeDiskBytes === undefined
          ? {}
          : { minFreeBytes: settings.minFreeDiskBytes }),
      }),
    );
    for (const found of journalDamage(journal)) damage.note(found);
    refuseLostRecords(settings, journal);
    const records = await keep(openRecords(settings, damage));
    await refuseSingleStart(settings.dataDir, records.pipeline);
    refuseLostTelemetry(settings.dataDir, journal);
    const { local, tier } = await openTelemetry(settings, (found) =>
      damage.note(telemetryDamage(found)),
    );
    await keep(Promise.resolve(local));
    refuseEmptyTelemetry(settings.dataDir, journal, local.durablePosition);
    // A cursor that is never moved would keep the journal for ever.
    if (tier === undefined) journal.forgetCursor(ARCHIVE_CURSOR);
    const checkpoint = await records.pipeline.checkpoint();
    const forwarded = await records.forwarders.progress();
    if (checkpoint !== undefined && checkpoint.journalId !== journal.id) {
      damage.note(replacedJournal(checkpoint));
    }
    for (const position of [checkpoint, local.durablePosition, ...forwarded]) {
      if (position?.journalId === journal.id) await journal.passOver(position.sequence);
    }
    const { dataDir } = settings;
    const source = { dataDir, journal, records, telemetry: local, disk, now: Date.now };
    const backups = createBackups(source);
    return {
      journal,
      records,
      telemetry: tier?.store ?? local,
      tier: tier && { ...tier, local },
      backups,
      close,
    };
  } catch (error) {
    await close().catch(() => undefined);
    throw folderError(settings.dataDir, error);
  }
}

/**
 * Opens the record store alone, for a process that takes no messages in.
 * @throws DomainError as `openStores`.
 */
export function openRecords(
  settings: RecordSettings,
  damage: DamageLog = openDamageLog(settings.dataDir),
): Promise<RecordStore> {
  const { dataDir, databaseUrl, databaseConnections, databaseStatementMs } = settings;
  return openRecordStore({
    dataDir: join(dataDir, "records"),
    databaseUrl,
    postgres: { connections: databaseConnections, statementMs: databaseStatementMs },
    onDamage: (problem) => damage.note(recordsDamage(problem)),
  });
}

/**
 * Telemetry for a process that takes no messages in and so has no store of its own: read from the archive
 * alone. `undefined` without `INFLUX_URL`. Opens no connection before the first read.
 */
export function openTelemetryReader(
  settings: Pick<Settings, "retentionDays"> & Parameters<typeof openArchive>[0],
): Pick<TelemetryStore, "read"> | undefined {
  return openArchive(settings);
}

/** Files, and the check of the addresses that they are served by. */
export interface Files extends OwnAddresses {
  readonly store: FileStore;
  /** What projects have stored, and may. */
  readonly quota: ProjectQuota;
}

/**
 * Opens the file store that the settings ask for; `ownUrl` is the address of the API where
 * `PUBLIC_URL` is not set.
 * @throws DomainError `STORE_UNAVAILABLE`, or `SETTINGS_INVALID` when there is no bucket and none can be made.
 */
export async function openFiles(
  settings: Settings,
  pepper: Uint8Array,
  ownUrl: () => string,
  disk: DiskSpace,
  stored: StoredFiles,
): Promise<Files> {
  const signer = createFileUrlSigner(pepper);
  const { projectStorageMib: mib } = settings;
  const quota = createProjectQuota(stored, mib === undefined ? undefined : mib * 1024 ** 2);
  const uncounted = await openFileStore(settings, signer, ownUrl, disk);
  const store = createCountedFiles(uncounted, stored, quota);
  const baseUrl = () => `${(settings.publicUrl ?? ownUrl()).replace(/\/+$/, "")}/files`;
  return { store, quota, ...createOwnAddresses(signer, baseUrl, Date.now) };
}

/** An error of the file system in terms of the setting; any other as it is. */
function folderError(dataDir: string, error: unknown): unknown {
  const code = error instanceof DomainError ? undefined : (error as NodeJS.ErrnoException).code;
  if (typeof code !== "string" || !/^E[A-Z]+$/.test(code)) return error;
  const message = `the data folder ${dataDir} (DATA_DIR) cannot be used`;
  return new DomainError("STORE_UNAVAILABLE", message, { cause: error });
}
