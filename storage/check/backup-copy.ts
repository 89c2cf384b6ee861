import { createWriteStream } from "node:fs";
import { access, mkdir, readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { readArchive } from "../backup/archive-reader.ts";

/** An archive of `plumbline backup`, unpacked for a repair. */
export interface BackupCopy {
  /** The folder of it; laid out as a data folder. */
  readonly dir: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** Content of one of its files as text; `undefined`: it has none of that path. */
  text(path: string): Promise<string | undefined>;
  has(path: string): Promise<boolean>;
}

/**
 * Unpacks an archive into `dir`, which is emptied first.
 * @throws DomainError `BACKUP_INVALID` for an archive that is damaged or cut off, `SCHEMA_TOO_NEW`.
 */
export async function unpackBackup(archive: string, dir: string): Promise<BackupCopy> {
  await rm(dir, { recursive: true, force: true });
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const { createdAt } = await readArchive(archive, {
    async folder(path) {
      await mkdir(join(dir, path), { recursive: true, mode: 0o700 });
    },
    async file(path) {
      await mkdir(dirname(join(dir, path)), { recursive: true, mode: 0o700 });
      return createWriteStream(join(dir, path), { flags: "wx", mode: 0o600 });
    },
  });
  return {
    dir,
    createdAt,
    text: (path) => readFile(join(dir, path), "utf8").catch(() => undefined),
    has: (path) =>
      access(join(dir, path)).then(
        () => true,
        () => false,
      ),
  };
}
