import { mkdir } from "node:fs/promises";
import type { JournalPosition } from "../../ports/journal.ts";
import { catalogPath, openCatalog, readCatalog, writeCatalog } from "./lmdb/catalog.ts";
import { markIncomplete } from "./lmdb/damaged-periods.ts";
import { type LmdbFile, openLmdbFile } from "./lmdb/lmdb-file.ts";
import { completeNameLog } from "./lmdb/name-log.ts";
import { listPeriods, periodPath } from "./lmdb/period-file.ts";

/**
 * Copies the files of a store while its thread goes on writing, each from one snapshot of LMDB. The
 * periods go first and the catalog last, so that it has the number of every asset in them. `position`
 * is what was durable before: the periods have at least that, and what they have beyond it is written
 * once more from the journal, which changes nothing. Of the periods in `incomplete`, rows are missing.
 */
export async function copyStore(
  dir: string,
  to: string,
  position: JournalPosition | undefined,
  incomplete: readonly number[],
): Promise<void> {
  await mkdir(to, { recursive: true });
  const periods = await listPeriods(dir);
  for (const startMs of periods) {
    const file = openLmdbFile(periodPath(dir, startMs));
    await copyFile(file, periodPath(to, startMs));
  }
  for (const startMs of incomplete) markIncomplete(to, startMs, Date.now());
  await copyFile(openCatalog(dir), catalogPath(to));
  const catalog = openCatalog(to);
  completeNameLog(to, readCatalog(catalog).names);
  // It may list a period that is newer than the copies.
  writeCatalog(catalog, { ...(position === undefined ? {} : { position }), periods });
  await catalog.close();
}

async function copyFile(file: LmdbFile, path: string): Promise<void> {
  try {
    await file.backup(path, false);
  } finally {
    await file.close();
  }
}
