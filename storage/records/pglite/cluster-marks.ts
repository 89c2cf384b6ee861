import {
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { crc32 } from "../../disk/crc32.ts";
import { PAGED_FILE } from "./cluster-files.ts";
import { isUnusedPage, PAGE_BYTES } from "./page-checksum.ts";

/**
 * What the files of a cluster held at its last checkpoint, and hold ever after: a file of pages gets shorter
 * only by VACUUM and with its table. A used page is never all zeros again. The outcome of a transaction that
 * has ended stays. What changed after the checkpoint is in the log. PostgreSQL itself takes a file that is
 * too short for a smaller table and a page of zeros for an empty one.
 */
export interface ClusterMarks {
  /** Of each file of pages: its bytes, and its pages that are all zeros. */
  pages: Record<string, [bytes: number, unused: number[]]>;
  /** Of the beginning of each other file that stays: how many bytes, and their CRC-32. */
  sums: Record<string, [bytes: number, crc: number]>;
}

/** Transactions of one file of `pg_xact`, and of one byte in it. */
const FILE_TRANSACTIONS = 1_048_576;
const BYTE_TRANSACTIONS = 4;
/** Where `pg_control` has the next transaction (`ControlFileData` of PostgreSQL 17 and later). */
const NEXT_TRANSACTION_AT = 64;
const STAYING_FILES =
  /^(PG_VERSION|[a-z_.]+\.conf|global\/pg_filenode\.map|base\/\d+\/(pg_filenode\.map|PG_VERSION))$/;

/** Beside the cluster; no part of it. */
export const marksPath = (cluster: string): string => `${cluster}.marks`;

/** The marks of a cluster; `undefined`: it has none, as one of an earlier version. */
export function readClusterMarks(cluster: string): ClusterMarks | undefined {
  try {
    const marks: unknown = JSON.parse(readFileSync(marksPath(cluster), "utf8"));
    return isMarks(marks) ? marks : undefined;
  } catch {
    return undefined;
  }
}

/** Without a schema: the hundreds of files of a schema library would be half of the start of the database's thread. */
function isMarks(value: unknown): value is ClusterMarks {
  if (!isObject(value)) return false;
  const { pages, sums } = value;
  if (!isObject(pages) || !isObject(sums)) return false;
  const isNumber = (one: unknown) => typeof one === "number";
  return (
    Object.values(pages).every(
      (mark) =>
        isPair(mark) && isNumber(mark[0]) && Array.isArray(mark[1]) && mark[1].every(isNumber),
    ) && Object.values(sums).every((mark) => isPair(mark) && mark.every(isNumber))
  );
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isPair = (value: unknown): value is readonly unknown[] =>
  Array.isArray(value) && value.length === 2;

/**
 * Marks a cluster whose checkpoint has just ended, with no transaction open. Only pages that were not marked as
 * used are read. Blocks its thread, which must be the one that writes to the cluster.
 */
export function markCluster(cluster: string): void {
  const before = readClusterMarks(cluster);
  const marks: ClusterMarks = { pages: {}, sums: {} };
  const ended = endedTransactions(cluster);
  for (const path of listFiles(cluster)) {
    const match = PAGED_FILE.exec(path);
    if (match !== null) {
      if (match[3] === undefined)
        marks.pages[path] = markPages(join(cluster, path), before?.pages[path]);
      continue;
    }
    const bytes = STAYING_FILES.test(path)
      ? sizeOf(join(cluster, path))
      : stayingBytes(path, ended);
    if (bytes > 0) marks.sums[path] = [bytes, crcOfStart(join(cluster, path), bytes) ?? 0];
  }
  writeMarks(cluster, marks);
}

/** Vacuums: files may get shorter meanwhile, and outcomes that are no longer asked for are removed. */
export async function whileUnmarked(cluster: string, vacuum: () => Promise<void>): Promise<void> {
  const marks = readClusterMarks(cluster);
  forgetClusterMarks(cluster);
  await vacuum();
  if (marks === undefined) return;
  for (const [path, [bytes, unused]] of Object.entries(marks.pages)) {
    const left = Math.min(bytes, sizeOf(join(cluster, path)));
    marks.pages[path] = [left, unused.filter((page) => page * PAGE_BYTES < left)];
  }
  for (const path of Object.keys(marks.sums)) {
    if (sizeOf(join(cluster, path)) === 0) delete marks.sums[path];
  }
  writeMarks(cluster, marks);
}

/** Removes the marks durably. */
function forgetClusterMarks(cluster: string): void {
  rmSync(marksPath(cluster), { force: true });
  syncFolder(dirname(cluster));
}

/** CRC-32 of the first `bytes` of a file; `undefined`: it has fewer, or is not there. */
export function crcOfStart(path: string, bytes: number): number | undefined {
  try {
    const content = readFileSync(path);
    return content.length < bytes ? undefined : crc32(content, 0, bytes, 0);
  } catch {
    return undefined;
  }
}

function markPages(
  path: string,
  [knownBytes, knownUnused]: [bytes: number, unused: number[]] = [0, []],
): [bytes: number, unused: number[]] {
  const bytes = sizeOf(path);
  const pages = Math.floor(bytes / PAGE_BYTES);
  const known = Math.floor(knownBytes / PAGE_BYTES);
  const asked = knownUnused.filter((page) => page < pages);
  for (let page = known; page < pages; page++) asked.push(page);
  if (asked.length === 0) return [bytes, []];
  const memory = Buffer.allocUnsafe(PAGE_BYTES);
  const file = openSync(path, "r");
  try {
    const unused = asked.filter((page) => {
      const read = readSync(file, memory, 0, PAGE_BYTES, page * PAGE_BYTES);
      return read < PAGE_BYTES || isUnusedPage(memory);
    });
    return [bytes, unused];
  } finally {
    closeSync(file);
  }
}

/** How many transactions have ended, counted from the first; 0: not known. */
function endedTransactions(cluster: string): number {
  try {
    const control = readFileSync(join(cluster, "global", "pg_control"));
    // Files are named by the lower half alone.
    return control.readUInt32LE(NEXT_TRANSACTION_AT);
  } catch {
    return 0;
  }
}

/** Bytes at the beginning of a file that are all about ended transactions. */
function stayingBytes(path: string, ended: number): number {
  const name = /^pg_xact\/([0-9A-F]{4})$/.exec(path)?.[1];
  if (name === undefined) return 0;
  const own = ended - parseInt(name, 16) * FILE_TRANSACTIONS;
  return Math.floor(Math.max(0, Math.min(own, FILE_TRANSACTIONS)) / BYTE_TRANSACTIONS);
}

function listFiles(cluster: string): readonly string[] {
  const folders = ["", "global", "pg_xact"];
  for (const name of readdirSync(join(cluster, "base"))) folders.push(`base/${name}`);
  return folders.flatMap((folder) =>
    readdirSync(join(cluster, folder), { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => (folder === "" ? name : `${folder}/${name}`)),
  );
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function writeMarks(cluster: string, marks: ClusterMarks): void {
  const target = marksPath(cluster);
  const file = openSync(`${target}.new`, "w", 0o600);
  try {
    writeSync(file, `${JSON.stringify(marks)}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(`${target}.new`, target);
  syncFolder(dirname(target));
}

function syncFolder(dir: string): void {
  // Windows cannot open a folder, and makes names durable with the file.
  if (process.platform === "win32") return;
  const folder = openSync(dir, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
