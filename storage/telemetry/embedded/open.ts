import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { DomainError } from "../../../domain/errors.ts";
import { lockFolder } from "../../data-folder/folder-lock.ts";
import { openCatalog, readCatalog } from "./lmdb/catalog.ts";
import {
  type FileDamage,
  listSetAside,
  markMissingPeriods,
  setDamagedAside,
} from "./lmdb/damaged-periods.ts";
import { prepareLmdbFiles } from "./lmdb/lmdb-file.ts";
import { nameLogProblem, readNameLog } from "./lmdb/name-log.ts";
import { listPeriods, PeriodFiles } from "./lmdb/period-file.ts";
import { openSealThread, type SealThread, type SealThreadStart } from "./sealing/seal-thread.ts";
import { EmbeddedTelemetryStore } from "./store.ts";
import { WritePath } from "./write-path.ts";

/**
 * Points of one memtable; two exist while one is sealed. About 110 bytes each. More are memory; fewer are
 * sealed more often and merged more.
 */
const MEMORY_POINTS = 500_000;
/**
 * Age at which points are sealed, ms, so that the journal can let its segments go: later keeps more journal,
 * sooner makes more and smaller runs.
 */
const SEAL_AFTER_MS = 60_000;
/**
 * Pause before a seal that failed is tried again, ms. Less keeps trying on a full disk; more lets writers
 * wait longer once there is room.
 */
const RETRY_MS = 1_000;
/**
 * Period files kept open for reading: 56 days. More take address space and file handles; fewer are opened
 * again for long ranges.
 */
const OPEN_FILES = 8;

export interface EmbeddedTelemetryOptions {
  /** Created if need be; nothing else may be in it. */
  readonly dir: string;
  readonly memoryPoints?: number;
  readonly sealAfterMs?: number;
  readonly retryMs?: number;
  /** Called on every file that is found damaged, by its name in the folder of the store. */
  readonly onDamage?: (damage: FileDamage) => void;
}

/**
 * Opens the embedded store: an LSM tree of columnar blocks in LMDB, one file per 7 days of fix time.
 * Points are gathered in memory and sealed by a thread of its own; they must be safe elsewhere (in
 * the journal) until `durablePosition` has passed them. After a crash everything up to there is here.
 * `startThread` is another way to run the writer, for tests.
 * A period whose file is damaged is set aside: points of that time are taken, reads of it fail with
 * `STORE_DAMAGED` until `plumbline check --repair`.
 * @throws DomainError `STORE_LOCKED` when the folder is in use, `SCHEMA_TOO_NEW`, `STORE_DAMAGED` when the
 * catalog is damaged, `STORE_UNAVAILABLE` when its files cannot be opened.
 */
export async function openEmbeddedTelemetryStore(
  options: EmbeddedTelemetryOptions,
  startThread: (start: SealThreadStart) => SealThread = openSealThread,
): Promise<EmbeddedTelemetryStore> {
  const dir = join(options.dir, "embedded");
  const { onDamage = () => undefined } = options;
  await mkdir(dir, { recursive: true });
  const lock = await lockFolder(options.dir);
  try {
    const nowMs = Date.now();
    await setDamagedAside(dir, nowMs, onDamage);
    prepareLmdbFiles(dir);
    const catalog = openCatalog(dir);
    const stored = readCatalog(catalog);
    await catalog.close();
    const problem = nameLogProblem(readNameLog(dir), stored.names);
    if (problem !== undefined) onDamage({ file: "names.log", problem });
    await markMissingPeriods(dir, stored.periods ?? [], nowMs, onDamage);
    const periods = new Set(await listPeriods(dir));
    const incomplete = new Set((await listSetAside(dir)).map(({ startMs }) => startMs));
    const thread = startThread({ dir, periods: [...periods] });
    const files = new PeriodFiles(dir, OPEN_FILES);
    const path = new WritePath({
      thread,
      stored,
      memoryPoints: options.memoryPoints ?? MEMORY_POINTS,
      sealAfterMs: options.sealAfterMs ?? SEAL_AFTER_MS,
      retryMs: options.retryMs ?? RETRY_MS,
      onSealed: (sealed) => {
        for (const startMs of sealed) periods.add(startMs);
      },
    });
    return new EmbeddedTelemetryStore({
      dir,
      lock,
      thread,
      files,
      path,
      periods,
      incomplete,
      onDamage,
    });
  } catch (error) {
    await lock.release();
    if (error instanceof DomainError) throw error;
    throw new DomainError("STORE_UNAVAILABLE", `cannot open ${dir}`, { cause: error });
  }
}
