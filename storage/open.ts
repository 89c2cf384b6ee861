import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Settings } from "../config/settings.ts";
import { DomainError } from "../domain/errors.ts";
import { openJournal } from "./journal/journal.ts";
import type { Journal, RecordStore, TelemetryStore } from "./ports.ts";
import { openRecordStore } from "./records/open.ts";
import { openEmbeddedTelemetryStore } from "./telemetry/embedded/open.ts";

/** Every store of one process. */
export interface Stores {
  readonly journal: Journal;
  readonly telemetry: TelemetryStore;
  readonly records: RecordStore;
  /** Closes in an order that lets the journal learn what the others made durable. */
  close(): Promise<void>;
}

/**
 * Opens the stores that the settings ask for. What was opened is closed again when a later one fails.
 * @throws DomainError `STORE_LOCKED` when another process has the data folder, `STORE_UNAVAILABLE`,
 * `SCHEMA_TOO_NEW`.
 */
export async function openStores(
  settings: Pick<Settings, "dataDir" | "databaseUrl" | "minFreeDiskBytes">,
): Promise<Stores> {
  const opened: { close(): Promise<void> }[] = [];
  async function keep<T extends { close(): Promise<void> }>(store: Promise<T>): Promise<T> {
    const ready = await store;
    opened.unshift(ready);
    return ready;
  }
  async function close(): Promise<void> {
    for (const store of opened) await store.close();
  }
  try {
    await mkdir(settings.dataDir, { recursive: true });
    const journal = await keep(
      openJournal({
        dir: join(settings.dataDir, "journal"),
        ...(settings.minFreeDiskBytes === undefined
          ? {}
          : { minFreeBytes: settings.minFreeDiskBytes }),
      }),
    );
    const records = await keep(
      openRecordStore({
        dataDir: join(settings.dataDir, "records"),
        databaseUrl: settings.databaseUrl,
      }),
    );
    const telemetry = await keep(
      openEmbeddedTelemetryStore({ dir: join(settings.dataDir, "telemetry") }),
    );
    for (const position of [await records.pipeline.checkpoint(), telemetry.durablePosition]) {
      if (position?.journalId === journal.id) await journal.passOver(position.sequence);
    }
    return { journal, records, telemetry, close };
  } catch (error) {
    await close().catch(() => undefined);
    throw folderError(settings.dataDir, error);
  }
}

/** An error of the file system in terms of the setting; any other as it is. */
function folderError(dataDir: string, error: unknown): unknown {
  const code = error instanceof DomainError ? undefined : (error as NodeJS.ErrnoException).code;
  if (typeof code !== "string" || !/^E[A-Z]+$/.test(code)) return error;
  const message = `the data folder ${dataDir} (DATA_DIR) cannot be used`;
  return new DomainError("STORE_UNAVAILABLE", message, { cause: error });
}
