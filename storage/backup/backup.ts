import { rmSync } from "node:fs";
import { access, mkdir, readdir, rm, stat } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { pipeline, type Readable, Transform } from "node:stream";
import { DomainError } from "../../domain/errors.ts";
import { isFileKey } from "../../domain/platform/file-key.ts";
import type { DiskSpace } from "../disk/disk-space.ts";
import { encodeCursors } from "../journal/cursors.ts";
import type { SegmentHold } from "../journal/segment-chain.ts";
import type { Journal } from "../ports/journal.ts";
import type { RecordStore } from "../ports/record-store.ts";
import type { EmbeddedTelemetryStore } from "../telemetry/embedded/store.ts";
import { ArchiveWriter } from "./archive-writer.ts";

/** The stores of a running process, and where they are. */
export interface BackupSource {
  readonly dataDir: string;
  readonly journal: Journal & { hold(): SegmentHold };
  readonly records: RecordStore;
  readonly telemetry: EmbeddedTelemetryStore;
  /** Admits the copies. */
  readonly disk: DiskSpace;
  readonly now: () => number;
}

export interface Backups {
  /**
   * A tar archive of the data folder as it is now, made while the service goes on. Holds everything that was
   * acknowledged before the call. Resolves when the copies are made; the reader of the stream decides how
   * fast the archive is written, and may destroy it. One at a time.
   * @throws DomainError `BACKUP_REFUSED` while another one is made, or where the records are in
   * PostgreSQL; StorageShortage when there is no room for the copies; `STORE_UNAVAILABLE`.
   */
  create(): Promise<Readable>;
}

/**
 * A reader has to take {@link PACE_BYTES} in each span of so many ms: copies and journal segments wait for it
 * on our disk. A larger span lets a slower link pause longer; a smaller one frees the disk sooner.
 */
const PACE_MS = 300_000;
/** 56 kbit/s, the slowest link that anybody would copy a backup over. */
const PACE_BYTES = 7_000 * (PACE_MS / 1_000);

/** Copies on their way into an archive; what an interrupted backup left there goes at the next start. */
const STAGING = "backup-staging";
/** Unit of `Stats.blocks`, bytes (stat(2)). */
const BLOCK_BYTES = 512;

/**
 * The order makes it complete: journal segments are held first. Then the records and the telemetry are
 * copied, each with the journal position that it has processed; then the journal up to what is synced by
 * then. So the journal in the archive holds every record that the copies lack, and the restored service goes
 * on from there as after a crash. No cursor is copied: they would be ahead of the copies.
 */
export function createBackups(source: BackupSource): Backups {
  const { dataDir, journal, records, telemetry, disk, now } = source;
  const staging = join(dataDir, STAGING);
  let isBusy = false;
  rmSync(staging, { recursive: true, force: true });

  async function copyStores(): Promise<void> {
    const sizes = [join(dataDir, "records", "cluster"), join(dataDir, "telemetry", "embedded")];
    const bytes = (await Promise.all(sizes.map(folderBytes))).reduce((sum, size) => sum + size, 0);
    // Held for all of the copy: what is written meanwhile counts twice, and the copies are made soon.
    const grant = await disk.reserve("backup", bytes);
    try {
      await mkdir(staging, { mode: 0o700 });
      await records.copyTo?.(join(staging, "cluster"));
      await telemetry.copyTo(join(staging, "telemetry"));
    } finally {
      grant.release();
    }
  }

  async function write(archive: ArchiveWriter, hold: SegmentHold): Promise<void> {
    const syncedSequence = journal.syncedSequence;
    const segments = hold.synced();
    const secretKey = join(dataDir, "secret.key");
    if (await exists(secretKey)) await archive.addFile("secret.key", secretKey);
    await archive.addFolder("records/cluster", join(staging, "cluster"));
    await archive.addFolder("telemetry/embedded", join(staging, "telemetry"));
    archive.addText("journal/id", `${journal.id}\n`);
    archive.addText("journal/cursors.json", encodeCursors(journal.id, {}));
    for (const { path, bytes } of segments) {
      await archive.addFile(`journal/${basename(path)}`, path, bytes);
    }
    await addStoredFiles(archive, join(dataDir, "files"));
    archive.finish({
      createdAt: new Date(now()).toISOString(),
      journal: { id: journal.id, syncedSequence },
    });
  }

  return {
    async create() {
      if (records.copyTo === undefined) {
        throw new DomainError(
          "BACKUP_REFUSED",
          "the records are in PostgreSQL (DATABASE_URL): back that up with its own means (pg_dump)",
        );
      }
      if (isBusy) throw new DomainError("BACKUP_REFUSED", "another backup is being made");
      isBusy = true;
      const hold = journal.hold();
      const end = async () => {
        hold.release();
        await rm(staging, { recursive: true, force: true }).catch(() => undefined);
        isBusy = false;
      };
      try {
        await copyStores();
      } catch (error) {
        await end();
        throw unavailable(error);
      }
      const archive = new ArchiveWriter();
      const out = endedBelowPace();
      // A reader that goes away ends the archive, and one that failed ends without its manifest.
      pipeline(archive.stream, out, () => undefined);
      void write(archive, hold)
        .catch((error: unknown) => out.destroy(unavailable(error)))
        .finally(end);
      return out;
    },
  };
}

/** Files of the file store; one that is deleted meanwhile is not missed. */
async function addStoredFiles(archive: ArchiveWriter, dir: string): Promise<void> {
  if (!(await exists(dir))) return;
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    const key = relative(dir, path).replaceAll("\\", "/");
    // What is being written has no key.
    if (!entry.isFile() || !isFileKey(key)) continue;
    await archive.addFile(`files/${key}`, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
    });
  }
}

/** Bytes that the files of a folder take. */
async function folderBytes(dir: string): Promise<number> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true }).catch(() => []);
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => {
        const found = await stat(join(entry.parentPath, entry.name)).catch(() => undefined);
        return (found?.blocks ?? 0) * BLOCK_BYTES;
      }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** A stream that fails when a reader takes less than the pace, or nothing. */
function endedBelowPace(): Transform {
  let bytes = 0;
  const timer = setInterval(() => {
    if (bytes < PACE_BYTES) {
      out.destroy(new DomainError("STORE_UNAVAILABLE", "the backup was read too slowly"));
    }
    bytes = 0;
  }, PACE_MS);
  const out = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      bytes += chunk.length;
      done(null, chunk);
    },
    destroy(error, done) {
      clearInterval(timer);
      done(error);
    },
  });
  return out;
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

function unavailable(cause: unknown): DomainError {
  if (cause instanceof DomainError) return cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new DomainError("STORE_UNAVAILABLE", `the backup cannot be made: ${reason}`, { cause });
}
