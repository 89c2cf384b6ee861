import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { open, type RootDatabase } from "lmdb";

/** One LMDB file. Values that are read are copies, so they outlive the transaction. */
export type LmdbFile = RootDatabase<Uint8Array, Uint8Array>;

/**
 * Address space of one file, the most it can grow to: 64 GiB, some 3,000 million points. It costs
 * no memory; a file that reaches it fails like a full disk, so a smaller one ends sooner, and a larger one
 * meets limits of virtual memory where there are any.
 */
const MAP_BYTES = 64 * 2 ** 30;

/**
 * Size of a lock file made here; LMDB takes what it finds: 8,272 bytes hold 126 readers. It maps the
 * file and writes into the map, and a page of a map that finds no space on the disk is a SIGBUS, which
 * ends the process. So its pages get their space before LMDB sees the file.
 */
const LOCK_BYTES = 16 * 1024;
/**
 * Free space without which no file is created. LMDB cannot bear that the first two pages of a file are
 * refused: SIGSEGV with up to 8 KiB free, an error from 16 KiB on (lmdb 3.5.6). This is well above both.
 */
const CREATE_BYTES = 1024 ** 2;

/**
 * Makes sure, before anybody opens them, that the lock files beside the files of a folder have all
 * their space: a copied or restored folder may have them with holes, or not at all.
 */
export function prepareLmdbFiles(dir: string): void {
  for (const name of readdirSync(dir)) {
    if (name.endsWith(".mdb") && !hasAllPages(`${join(dir, name)}-lock`)) {
      writeLockFile(join(dir, name));
    }
  }
}

function hasAllPages(path: string): boolean {
  const { size = 0, blocks = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
  return size > 0 && blocks * 512 >= size;
}

function writeLockFile(path: string): void {
  try {
    writeFileSync(`${path}-lock`, new Uint8Array(LOCK_BYTES));
  } catch (error) {
    rmSync(`${path}-lock`, { force: true });
    throw error;
  }
}

/** @throws Error with code ENOSPC when a new file would bring the process down. */
function makeReady(path: string): void {
  const { bavail, bsize } = statfsSync(dirname(path));
  if (bavail * bsize < CREATE_BYTES) {
    throw Object.assign(new Error(`no space left on the disk for ${path}`), { code: "ENOSPC" });
  }
  writeLockFile(path);
}

/**
 * Opens or creates a file. Main thread and worker open the same file with the same options: LMDB
 * then shares one environment inside the process, and readers never wait for the writer.
 * `overlappingSync` is off so that `transactionSync` returns after the data is on disk.
 * @throws Error with code ENOSPC when the file is new and the disk is full.
 */
export function openLmdbFile(path: string): LmdbFile {
  const isNew = !existsSync(path);
  if (isNew) makeReady(path);
  const file = open<Uint8Array, Uint8Array>({
    path,
    noSubdir: true,
    encoding: "binary",
    keyEncoding: "binary",
    overlappingSync: false,
    mapSize: MAP_BYTES,
  });
  if (isNew) syncFolder(dirname(path));
  return file;
}

/** Makes a new or removed entry of a folder durable. */
export function syncFolder(dir: string): void {
  const handle = openSync(dir, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
