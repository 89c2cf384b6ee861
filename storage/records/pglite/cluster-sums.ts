import { closeSync, openSync, readSync, statSync } from "node:fs";
import { open, readdir, readFile, rename, rm } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { setImmediate } from "node:timers/promises";
import { DomainError } from "../../../domain/errors.ts";
import { syncFolder } from "../../data-folder/sync-folder.ts";
import { crc32 } from "../../disk/crc32.ts";
import { marksPath } from "./cluster-marks.ts";
import { flushedMarkPath } from "./flushed-mark.ts";

/**
 * Up to this many bytes of a cluster every byte is compared at a start, beyond it sizes only: 60 MB take
 * 40 ms. Pages carry checksums of PostgreSQL's own as well. More delays every start.
 */
export const COMPARED_BYTES = 512 * 1024 ** 2;
const READ_BYTES = 1024 ** 2;
/**
 * Files are read by calls that block, at a third of the CPU. After so long other work of the process has a turn, ms;
 * a turn after each file would make some 700 of them.
 */
const TURN_MS = 20;

/** Size and CRC-32 of each file of a cluster, by its path in it; `crc` is -1 where it was not taken. */
type Sums = Record<string, [bytes: number, crc: number]>;

/** Files that PostgreSQL makes again and does not sync: a power cut may leave them in any state. */
const NOT_COMPARED = /^(pg_stat|pg_stat_tmp)\/|(^|\/)(pg_internal\.init|postmaster\.(pid|opts))$/;

const sumsPath = (cluster: string): string => `${cluster}.sums`;

/** A file that is not as the last stop left it. */
export interface ChangedFile {
  /** Path in the cluster. */
  readonly path: string;
  readonly problem: string;
}

/**
 * Notes size and CRC of every file of a cluster that was shut down. PostgreSQL takes a file that is too short
 * for a smaller table and a page of zeros for an empty one: nothing else would show that rows are gone.
 */
export async function writeClusterSums(cluster: string): Promise<void> {
  const paths = await listFiles(cluster);
  const sizes = paths.map((path) => statSync(join(cluster, path)).size);
  const isCompared = sizes.reduce((sum, size) => sum + size, 0) <= COMPARED_BYTES;
  const crcOf = openCrcReader();
  const sums: Sums = {};
  for (const [i, path] of paths.entries()) {
    const crc = isCompared ? await crcOf(join(cluster, path)) : -1;
    sums[path] = [sizes[i] ?? 0, crc];
  }
  const target = sumsPath(cluster);
  const handle = await open(`${target}.new`, "w", 0o600);
  try {
    await handle.writeFile(`${JSON.stringify(sums)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(`${target}.new`, target);
}

/** Compares a cluster with its sums; `undefined`: it has none, as after a crash. */
export async function findChangedFiles(
  cluster: string,
): Promise<readonly ChangedFile[] | undefined> {
  const sums = await readSums(cluster);
  if (sums === undefined) return undefined;
  const crcOf = openCrcReader();
  const changed: ChangedFile[] = [];
  for (const [path, [bytes, crc]] of Object.entries(sums)) {
    const file = join(cluster, path);
    const size = sizeOf(file);
    if (size === undefined) changed.push({ path, problem: "it is missing" });
    else if (size !== bytes) changed.push({ path, problem: `it has ${size} bytes of ${bytes}` });
    else if (crc >= 0 && (await crcOf(file)) !== crc) {
      changed.push({ path, problem: "its bytes have changed since the last stop" });
    }
  }
  return changed;
}

/**
 * Compares a cluster with its sums and removes them, because opening the cluster changes it. Yields whether
 * there were any: the cluster was shut down then, and every byte of it is as it was.
 * @throws DomainError `STORE_DAMAGED` naming the first file that differs; the sums stay then.
 */
export async function takeClusterSums(cluster: string): Promise<boolean> {
  const changed = await findChangedFiles(cluster);
  if (changed === undefined) return false;
  refuseChanged(cluster, changed);
  await rm(sumsPath(cluster), { force: true });
  await syncFolder(dirname(cluster));
  return true;
}

/** @throws DomainError `STORE_DAMAGED` naming the first of these files, if there is one. */
export function refuseChanged(cluster: string, changed: readonly ChangedFile[]): void {
  const [first] = changed;
  if (first === undefined) return;
  const more = changed.length > 1 ? `, and ${changed.length - 1} more files` : "";
  const message = `${join(cluster, first.path)} is damaged: ${first.problem}${more}`;
  throw new DomainError("STORE_DAMAGED", message);
}

/** All that is noted beside a cluster. */
export const clusterNotes = (cluster: string): readonly string[] => [
  sumsPath(cluster),
  flushedMarkPath(cluster),
  marksPath(cluster),
];

/** Removes all that is noted beside a cluster: another one comes in its place. */
export async function forgetClusterNotes(cluster: string): Promise<void> {
  for (const path of clusterNotes(cluster)) await rm(path, { force: true });
  await syncFolder(dirname(cluster));
}

async function readSums(cluster: string): Promise<Sums | undefined> {
  const text = await readFile(sumsPath(cluster), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    const sums: unknown = JSON.parse(text);
    return isSums(sums) ? sums : undefined;
  } catch {
    return undefined;
  }
}

/** Without a schema, which takes 15 ms of every start for some 700 files. */
const isSums = (value: unknown): value is Sums =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every(
    (sum) =>
      Array.isArray(sum) && sum.length === 2 && sum.every((number) => typeof number === "number"),
  );

async function listFiles(cluster: string): Promise<readonly string[]> {
  const entries = await readdir(cluster, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(cluster, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
    .filter((path) => !NOT_COMPARED.test(path))
    .sort();
}

/** Bytes of a file; `undefined`: it cannot be looked at. */
function sizeOf(file: string): number | undefined {
  try {
    return statSync(file).size;
  } catch {
    return undefined;
  }
}

/**
 * Yields the CRC-32 of one file after the other, through one memory: with one of 1 MiB for each of some 700 files
 * the garbage collector ran ten times at a start.
 */
function openCrcReader(): (path: string) => Promise<number> {
  const memory = Buffer.allocUnsafe(READ_BYTES);
  let turnMs = performance.now();
  return async (path) => {
    let crc = 0;
    const file = openSync(path, "r");
    try {
      for (let bytes = -1; bytes !== 0; ) {
        bytes = readSync(file, memory, 0, READ_BYTES, null);
        crc = crc32(memory, 0, bytes, crc);
        if (performance.now() - turnMs < TURN_MS) continue;
        await setImmediate();
        turnMs = performance.now();
      }
    } finally {
      closeSync(file);
    }
    return crc;
  };
}
