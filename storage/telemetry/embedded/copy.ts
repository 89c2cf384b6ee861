import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { JournalPosition } from "../../ports.ts";
import { openCatalog, writeCatalog } from "./catalog.ts";
import { type LmdbFile, openLmdbFile } from "./lmdb-file.ts";
import { listPeriods, periodPath } from "./period-file.ts";

/**
 * Copies the files of a store while its thread goes on writing, each from one snapshot of LMDB. The
 * periods go first and the catalog last, so that it has the number of every asset in them. `position`
 * is what was durable before: the periods have at least that, and what they have beyond it is written
 * once more from the journal, which changes nothing.
 */
export async function copyStore(
  dir: string,
  to: string,
  position: JournalPosition | undefined,
): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const startMs of await listPeriods(dir)) {
    const file = openLmdbFile(periodPath(dir, startMs));
    await copyFile(file, periodPath(to, startMs));
  }
  await copyFile(openCatalog(dir), join(to, "catalog.mdb"));
  if (position === undefined) return;
  const catalog = openCatalog(to);
  writeCatalog(catalog, { position });
  await catalog.close();
}

async function copyFile(file: LmdbFile, path: string): Promise<void> {
  try {
    await file.backup(path, false);
  } finally {
    await file.close();
  }
}
