import { randomBytes } from "node:crypto";
import { type BigIntStats, createWriteStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat, unlink } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { DomainError } from "../../domain/errors.ts";
import { isFileKey, isPublicFile } from "../../domain/platform/file-key.ts";
import { syncFolder } from "../data-folder/sync-folder.ts";
import { diskError } from "../disk/disk-error.ts";
import { BOUNDLESS_DISK, type DiskSpace } from "../disk/disk-space.ts";
import { meteredStream } from "../disk/metered-stream.ts";
import type { ByteRange, FileStore, OpenedFile, StoredFile } from "../ports/files.ts";
import type { FileUrlSigner } from "./signed-url.ts";
import { limitedStream } from "./size-limit.ts";

export interface LocalFilesOptions {
  /** Created if need be; nothing else may be in it. */
  readonly dir: string;
  /** Address that the files are served by, without a slash at its end; asked for at every use. */
  readonly baseUrl: () => string;
  readonly signer: FileUrlSigner;
  /** Admits what is written. Absent: nothing is refused. */
  readonly disk?: DiskSpace;
}

/** Files that are being written. No key can name it: parts do not begin with a dot. */
const UNFINISHED = ".unfinished";

/**
 * Opens the files of a folder, under paths equal to their keys. A file is written beside, synced and renamed,
 * so a crash leaves the old content or the new one; what was being written then goes at the next start.
 * @throws DomainError `STORE_UNAVAILABLE` when the folder cannot be used.
 */
export async function openLocalFiles(options: LocalFilesOptions): Promise<FileStore> {
  const unfinished = join(options.dir, UNFINISHED);
  await guarded(async () => {
    await rm(unfinished, { recursive: true, force: true });
    await mkdir(unfinished, { recursive: true });
  });
  return new LocalFiles(options);
}

class LocalFiles implements FileStore {
  readonly #dir: string;
  readonly #baseUrl: () => string;
  readonly #signer: FileUrlSigner;
  readonly #disk: DiskSpace;

  constructor({ dir, baseUrl, signer, disk = BOUNDLESS_DISK }: LocalFilesOptions) {
    this.#dir = dir;
    this.#baseUrl = baseUrl;
    this.#signer = signer;
    this.#disk = disk;
  }

  async put(
    key: string,
    content: Readable | Uint8Array,
    { maxBytes = Number.POSITIVE_INFINITY }: { readonly maxBytes?: number } = {},
  ): Promise<StoredFile> {
    if (!isFileKey(key)) throw new RangeError(`not a file key: ${key}`);
    const path = join(this.#dir, key);
    const temporary = join(this.#dir, UNFINISHED, randomBytes(12).toString("hex"));
    return guarded(async () => {
      try {
        const stream = createWriteStream(temporary, { flags: "wx", flush: true, mode: 0o600 });
        const limited = limitedStream(content, maxBytes);
        await pipeline(limited, meteredStream(this.#disk, "file"), stream);
        await makeFolder(dirname(path));
        await rename(temporary, path);
        await syncFolder(dirname(path));
      } catch (error) {
        await unlink(temporary).catch(() => undefined);
        throw error;
      }
      return storedFile(key, await stat(path, { bigint: true }));
    });
  }

  stat(key: string): Promise<StoredFile | undefined> {
    return guarded(() => this.#statFile(key));
  }

  async get(key: string, range?: ByteRange): Promise<OpenedFile | undefined> {
    if (!isFileKey(key)) return undefined;
    return guarded(async () => {
      const handle = await absentAsUndefined(open(join(this.#dir, key), "r"));
      if (handle === undefined) return undefined;
      // From the open file: another one may have taken its place in the folder.
      const found = await handle.stat({ bigint: true });
      if (!found.isFile()) {
        await handle.close();
        return undefined;
      }
      const bounds = range === undefined ? {} : { start: range.first, end: range.last };
      return { file: storedFile(key, found), body: handle.createReadStream(bounds) };
    });
  }

  async delete(key: string): Promise<void> {
    if (!isFileKey(key)) return;
    await guarded(async () => {
      const path = join(this.#dir, key);
      if ((await this.#statFile(key)) === undefined) return;
      await absentAsUndefined(unlink(path));
      await syncFolder(dirname(path));
    });
  }

  async *list(prefix: string): AsyncGenerator<StoredFile> {
    for await (const path of walk(this.#dir, this.#dir, prefix)) {
      const file = await guarded(() => this.#statFile(path));
      if (file !== undefined) yield file;
    }
  }

  async url(key: string, expiresAtMs: number): Promise<string> {
    const address = `${this.#baseUrl()}/${key}`;
    return isPublicFile(key) ? address : `${address}?${this.#signer.sign(key, expiresAtMs)}`;
  }

  async close(): Promise<void> {}

  async #statFile(key: string): Promise<StoredFile | undefined> {
    if (!isFileKey(key)) return undefined;
    const found = await absentAsUndefined(stat(join(this.#dir, key), { bigint: true }));
    return found?.isFile() === true ? storedFile(key, found) : undefined;
  }
}

/** Makes the folder of a file, durably up to the store's own. */
async function makeFolder(path: string): Promise<void> {
  const made = await mkdir(path, { recursive: true });
  if (made === undefined) return;
  for (let folder = path; folder.length >= dirname(made).length; folder = dirname(folder)) {
    await syncFolder(folder);
  }
}

/** Keys below `folder` that start with `prefix`, in the order of their bytes. */
async function* walk(root: string, folder: string, prefix: string): AsyncGenerator<string> {
  const entries = (await absentAsUndefined(readdir(folder, { withFileTypes: true }))) ?? [];
  const named = entries
    .filter((entry) => entry.isFile() || entry.isDirectory())
    // A folder sorts as its files do, whose keys go on with a slash.
    .map((entry) => ({ entry, name: entry.isDirectory() ? `${entry.name}/` : entry.name }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const { entry, name } of named) {
    if (entry.name === UNFINISHED && folder === root) continue;
    const path = join(folder, entry.name);
    const key = relative(root, path).replaceAll("\\", "/");
    const end = entry.isDirectory() ? `${key}/` : key;
    if (!end.startsWith(prefix) && !(entry.isDirectory() && prefix.startsWith(end))) continue;
    if (name.endsWith("/")) yield* walk(root, path, prefix);
    else if (isFileKey(key)) yield key;
  }
}

function storedFile(key: string, { size, mtimeNs, ino }: BigIntStats): StoredFile {
  // Every put makes a new inode at its own time, so this changes with the content.
  const etag = [ino, mtimeNs, size].map((part) => part.toString(36)).join("-");
  return { key, bytes: Number(size), etag, modifiedAtMs: Number(mtimeNs / 1_000_000n) };
}

async function absentAsUndefined<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    // A part of the path may be a file, or the folder may have gone.
    if (code === "ENOENT" || code === "ENOTDIR" || code === "EISDIR") return undefined;
    throw error;
  }
}

/** The file system's errors as the port has them; any other as it is. */
async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    const error = diskError(thrown);
    const code = (error as NodeJS.ErrnoException).code;
    if (error instanceof DomainError || typeof code !== "string" || !/^E[A-Z]+$/.test(code)) {
      throw error;
    }
    throw new DomainError("STORE_UNAVAILABLE", `the file store: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
