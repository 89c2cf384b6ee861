import { createWriteStream } from "node:fs";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Writable } from "node:stream";
import { DomainError } from "../../domain/errors.ts";
import { syncFolder } from "../data-folder/sync-folder.ts";
import { readArchive } from "./archive-reader.ts";
import type { Manifest } from "./manifest.ts";
import { RESTORING } from "./unfinished-restore.ts";

/** What a freshly made volume may hold. */
const HARMLESS = new Set(["lost+found"]);

/**
 * Puts the content of an archive into an empty (or absent) data folder, after every checksum was found
 * right. Until it has ended, the folder holds `.restoring`, with which no service starts; a second
 * restore then begins anew.
 * @throws DomainError `BACKUP_REFUSED` for a folder that is in use, `BACKUP_INVALID` for an archive
 * that is damaged or cut off, `SCHEMA_TOO_NEW`.
 */
export async function restoreBackup(options: {
  readonly archive: string;
  readonly dataDir: string;
}): Promise<Manifest> {
  const { archive, dataDir } = options;
  await makeRoom(dataDir);
  const unfinished = join(dataDir, RESTORING);
  await mkdir(unfinished, { mode: 0o700 });
  await syncFolder(dataDir);
  const manifest = await unpack(archive, unfinished);
  for (const name of await readdir(unfinished)) {
    await rename(join(unfinished, name), join(dataDir, name));
  }
  await syncFolder(dataDir);
  await rm(unfinished, { recursive: true });
  await syncFolder(dataDir);
  return manifest;
}

/** Reads an archive to its end. @throws as `restoreBackup` does for the archive. */
export async function verifyBackup(archive: string): Promise<Manifest> {
  return readArchive(archive, {
    folder: async () => undefined,
    file: async () => new Writable({ write: (_chunk, _encoding, done) => done() }),
  });
}

async function makeRoom(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const names = (await readdir(dataDir)).filter((name) => !HARMLESS.has(name));
  if (!names.includes(RESTORING) && names.length > 0) {
    throw new DomainError(
      "BACKUP_REFUSED",
      `${dataDir} is not empty: restore into a new folder, or move the old one away first`,
    );
  }
  // An earlier restore began with an empty folder: everything in it is that restore's. Its mark goes
  // last, so that an interruption here changes nothing.
  for (const name of names.filter((name) => name !== RESTORING)) {
    await rm(join(dataDir, name), { recursive: true });
  }
  await rm(join(dataDir, RESTORING), { recursive: true, force: true });
}

async function unpack(archive: string, to: string): Promise<Manifest> {
  const folders = new Set([to]);
  async function makeFolder(folder: string): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (let at = folder; at.length > to.length; at = dirname(at)) folders.add(at);
  }
  const manifest = await readArchive(archive, {
    folder: (path) => makeFolder(join(to, path)),
    async file(path) {
      const target = join(to, path);
      await makeFolder(dirname(target));
      return createWriteStream(target, { flags: "wx", mode: 0o600, flush: true });
    },
  });
  for (const folder of folders) await syncFolder(folder);
  return manifest;
}
