import { existsSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Queryable } from "../sql/database.ts";
import { FIRST_OWN_OID, PAGED_FILE, PART_PAGES } from "./cluster-files.ts";
import { type ClusterMarks, crcOfStart, readClusterMarks } from "./cluster-marks.ts";
import { type ChangedFile, COMPARED_BYTES } from "./cluster-sums.ts";
import { hasPageChecksum, isUnusedPage, PAGE_BYTES } from "./page-checksum.ts";

const READ_BYTES = 128 * PAGE_BYTES;

/**
 * Compares a cluster with its marks, after PostgreSQL has replayed the log: what it could restore is not
 * damaged any more. `database` is the open cluster, on which nothing else may work.
 */
export async function findMarkedDamage(
  cluster: string,
  marks: ClusterMarks,
  database: Queryable,
): Promise<readonly ChangedFile[]> {
  const changed: ChangedFile[] = [];
  const isRead = await readPaths(database);
  for (const [path, [bytes, crc]] of Object.entries(marks.sums)) {
    if (!isRead(path) || crcOfStart(join(cluster, path), bytes) === crc) continue;
    changed.push({ path, problem: "what had to stay as it was has changed" });
  }
  const relations = await database.query<{ path: string }>(
    `SELECT pg_relation_filepath(oid) AS path FROM pg_class
       WHERE relkind IN ('r', 'i', 't', 'S', 'm') AND relpersistence = 'p'`,
  );
  const known = new Set(relations.map(({ path }) => path));
  const marked = Object.entries(marks.pages).filter(
    ([path]) => isRead(path) && isKept(cluster, path, known),
  );
  const total = marked.reduce((sum, [, [bytes]]) => sum + bytes, 0);
  for (const [path, [bytes, unused]] of marked) {
    const problem = await firstDamage(join(cluster, path), {
      bytes,
      unused: new Set(unused),
      firstBlock: Number(PAGED_FILE.exec(path)?.[4] ?? 0) * PART_PAGES,
      isRead: total <= COMPARED_BYTES,
    });
    if (problem !== undefined) changed.push({ path, problem });
  }
  return changed;
}

/**
 * Returns which paths are read: of the folders of databases the open one's. An older version's folder may
 * hold the templates, which a start drops after it was marked; a kill in between leaves a part of them.
 */
async function readPaths(database: Queryable): Promise<(path: string) => boolean> {
  const [own] = await database.query<{ oid: string }>(
    "SELECT oid::text AS oid FROM pg_database WHERE datname = current_database()",
  );
  return (path) => !path.startsWith("base/") || path.startsWith(`base/${own?.oid}/`);
}

/**
 * Files of PostgreSQL's own and of tables that are shorter than they were marked, for a cluster that does not
 * open: one of a table that was dropped may be among them.
 */
export function findShorter(cluster: string): readonly ChangedFile[] {
  return Object.entries(readClusterMarks(cluster)?.pages ?? {}).flatMap(([path, [bytes]]) => {
    const size = statSync(join(cluster, path), { throwIfNoEntry: false })?.size;
    if (size === undefined || size >= bytes) return [];
    return [{ path, problem: `it has ${size} bytes of at least ${bytes}` }];
  });
}

/** Whether a file is of a table that was not dropped or written anew. PostgreSQL's own are not. */
function isKept(cluster: string, path: string, known: ReadonlySet<string>): boolean {
  const [, relation = "", number] = PAGED_FILE.exec(path) ?? [];
  if (known.has(relation)) return true;
  // Of a database that was dropped, the folder is gone.
  return Number(number) < FIRST_OWN_OID && existsSync(dirname(join(cluster, path)));
}

async function firstDamage(
  path: string,
  expected: {
    readonly bytes: number;
    readonly unused: ReadonlySet<number>;
    readonly firstBlock: number;
    readonly isRead: boolean;
  },
): Promise<string | undefined> {
  const file = await open(path, "r").catch(() => undefined);
  if (file === undefined) return "it is missing";
  try {
    const { size } = await file.stat();
    if (size < expected.bytes) return `it has ${size} bytes of at least ${expected.bytes}`;
    if (!expected.isRead) return undefined;
    const memory = Buffer.allocUnsafe(Math.min(READ_BYTES, expected.bytes));
    for (let page = 0; (page + 1) * PAGE_BYTES <= expected.bytes; page++) {
      const at = (page * PAGE_BYTES) % READ_BYTES;
      if (at === 0) await file.read(memory, 0, memory.length, page * PAGE_BYTES);
      const bytes = memory.subarray(at, at + PAGE_BYTES);
      if (isUnusedPage(bytes)) {
        if (!expected.unused.has(page)) return `page ${page} is all zeros`;
      } else if (!hasPageChecksum(bytes, expected.firstBlock + page)) {
        return `page ${page} has a wrong checksum`;
      }
    }
    return undefined;
  } finally {
    await file.close();
  }
}
