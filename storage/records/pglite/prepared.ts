import {
  closeSync,
  createReadStream,
  fsyncSync,
  mkdirSync,
  openSync,
  writeFileSync,
} from "node:fs";
import { rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";
import { extract } from "tar-stream";
import { syncFolder } from "../../data-folder/sync-folder.ts";

/**
 * An empty cluster with this program's schema, made by `npm run build:database`: initdb alone takes 6 s
 * of CPU, unpacking 0.7 s. Beside this module in the sources and, copied by the build, in dist.
 */
export const PREPARED_CLUSTER = new URL("./prepared/cluster.tar.br", import.meta.url);

/** A file or folder of the prepared cluster. */
export interface ClusterEntry {
  /** Below the cluster, with slashes; a folder comes before what is in it. */
  readonly path: string;
  /** Absent: it is a folder. */
  readonly content: Buffer | undefined;
}

/**
 * Makes the cluster in `dir`, whole or not at all: in a folder beside it, synced, then renamed.
 * Every installation has the same system identifier. PostgreSQL compares it only where servers replicate
 * or log files are archived, and PGlite does neither.
 * @throws Error of the file system, for example when the disk is full; nothing is left behind then.
 */
export async function unpackCluster(dir: string, archive: URL = PREPARED_CLUSTER): Promise<void> {
  const unfinished = `${dir}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  try {
    await writeTree(readCluster(archive), unfinished);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
  await rename(unfinished, dir);
  // The folder's own entry, and that of the folder it is in, which may be new too.
  await syncFolder(dirname(dir));
  await syncFolder(dirname(dirname(dir)));
}

/** What the archive holds, in its order. */
export async function* readCluster(archive: URL = PREPARED_CLUSTER): AsyncGenerator<ClusterEntry> {
  const entries = extract();
  const reading = pipeline(createReadStream(archive), createBrotliDecompress(), entries);
  // An archive that cannot be read ends the loop below as well, which throws the same error.
  reading.catch(() => undefined);
  for await (const entry of entries) {
    const content = await buffer(entry);
    const { name, type } = entry.header;
    yield {
      path: name.replace(/\/$/, ""),
      content: type === "directory" ? undefined : content,
    };
  }
  await reading;
}

/**
 * Writes everything, then syncs everything: the disk takes up the later files while the earlier ones are
 * waited for. Written by calls that block, which cost half the CPU; nothing else goes on during a start.
 */
async function writeTree(entries: AsyncIterable<ClusterEntry>, root: string): Promise<void> {
  mkdirSync(root, { mode: 0o700 });
  const folders = [root];
  const files: string[] = [];
  for await (const { path, content } of entries) {
    const target = join(root, path);
    if (content === undefined) mkdirSync(target, { mode: 0o700 });
    else writeFileSync(target, content, { flag: "wx", mode: 0o600 });
    (content === undefined ? folders : files).push(target);
  }
  for (const file of files) syncFile(file);
  for (const folder of folders) await syncFolder(folder);
}

function syncFile(path: string): void {
  const descriptor = openSync(path, "r+");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
