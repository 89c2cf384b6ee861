import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { DomainError } from "../../../domain/errors.ts";
import type { AssetId } from "../../../domain/ids.ts";
import { lockFolder } from "../../data-folder/folder-lock.ts";
import type { SeriesQuery, TelemetryPoint, TelemetryStore } from "../../ports/telemetry-store.ts";
import { createSeries } from "../points/series.ts";
import { PERIOD_MS } from "./blocks/period.ts";
import { copyStore } from "./copy.ts";
import { exportPoints } from "./export-points.ts";
import { openCatalog, readCatalog } from "./lmdb/catalog.ts";
import {
  type FileDamage,
  listSetAside,
  markMissingPeriods,
  setDamagedAside,
} from "./lmdb/damaged-periods.ts";
import { prepareLmdbFiles } from "./lmdb/lmdb-file.ts";
import { completeNameLog } from "./lmdb/name-log.ts";
import { listPeriods, PeriodFiles } from "./lmdb/period-file.ts";
import { type RangeSource, readRange, readRows } from "./read-range.ts";
import { openSealThread, type SealThread, type SealThreadStart } from "./sealing/seal-thread.ts";
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

/** The embedded store can also be copied as a whole and be read to its end. */
export interface EmbeddedTelemetryStore extends TelemetryStore {
  /**
   * Copies everything that is durable now to a folder that must not exist, while the store goes on.
   * The copy's durable position is not later than what is in it.
   */
  copyTo(dir: string): Promise<void>;
  /** Every asset that ever had a point here, sorted. */
  assetIds(): readonly AssetId[];
  /** Interval `[fromMs, toMs)` of whole periods that holds every durable point; `undefined`: none. */
  timeSpan(): { readonly fromMs: number; readonly toMs: number } | undefined;
  /**
   * One asset's rows as points, ascending, one per fix time. `seq` and `payloadHash` are those of one
   * of the points that the row was merged from.
   */
  export(query: SeriesQuery): Promise<readonly TelemetryPoint[]>;
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
    const damagedLines = completeNameLog(dir, stored.names);
    if (damagedLines > 0) {
      onDamage({ file: "names.log", problem: `${damagedLines} of its lines cannot be read` });
    }
    await markMissingPeriods(dir, stored.periods ?? [], nowMs, onDamage);
    const periods = new Set(await listPeriods(dir));
    /** Starts of the periods that lack rows. */
    const incomplete = new Set((await listSetAside(dir)).map(({ startMs }) => startMs));
    const expiring = new Set<number>();
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

    /** Calls `work` with all that may hold rows of the query; `none` where there can be no row. */
    async function reading<T>(
      query: SeriesQuery,
      none: T | Promise<T>,
      work: (source: RangeSource, asset: number) => Promise<T>,
    ): Promise<T> {
      const asset = path.assets.find(query.assetId);
      if (asset === undefined || !(query.fromMs < query.toMs)) return none;
      for (const startMs of incomplete) {
        if (startMs < query.toMs && startMs + PERIOD_MS > query.fromMs)
          throw incompletePeriod(startMs);
      }
      const memtables = path.retainMemtables();
      try {
        const isReadable = (startMs: number) => !expiring.has(startMs);
        const source = { memtables, periods: [...periods], isReadable, files, onDamage };
        return await work(source, asset);
      } finally {
        for (const memtable of memtables) memtable.release();
      }
    }
    /** Copies and expiry take turns: a file must not go while it is copied. */
    let turn: Promise<unknown> = Promise.resolve();
    function inTurn(work: () => Promise<void>): Promise<void> {
      const next = turn.then(work);
      turn = next.catch(() => undefined);
      return next;
    }

    return {
      write: (points, position) => path.write(points, position),
      get durablePosition() {
        return path.durablePosition;
      },
      onDurable: (listener) => path.onDurable(listener),
      read: (query) =>
        reading(query, createSeries([]), (source, asset) => readRange(source, asset, query)),
      flush: () => path.flush(),
      expire: (beforeMs) =>
        inTurn(async () => {
          const old = [...new Set([...periods, ...incomplete])].filter(
            (startMs) => startMs + PERIOD_MS <= beforeMs,
          );
          if (old.length === 0) return;
          for (const startMs of old) expiring.add(startMs);
          for (const startMs of old) await files.close(startMs);
          await thread.expire(old);
          for (const startMs of old) {
            periods.delete(startMs);
            incomplete.delete(startMs);
            expiring.delete(startMs);
          }
        }),
      copyTo: (to) => inTurn(() => copyStore(dir, to, path.durablePosition, [...incomplete])),
      assetIds: () => path.assets.names().toSorted() as AssetId[],
      timeSpan() {
        const starts = [...periods];
        if (starts.length === 0) return undefined;
        return { fromMs: Math.min(...starts), toMs: Math.max(...starts) + PERIOD_MS };
      },
      export: (query) =>
        reading(query, [], async (source, asset) =>
          exportPoints(query.assetId, await readRows(source, asset, query), path.projects.names()),
        ),
      async close() {
        try {
          await path.close();
        } finally {
          await thread.close();
          await files.closeAll();
          await lock.release();
        }
      },
    };
  } catch (error) {
    await lock.release();
    if (error instanceof DomainError) throw error;
    throw new DomainError("STORE_UNAVAILABLE", `cannot open ${dir}`, { cause: error });
  }
}

function incompletePeriod(startMs: number): DomainError {
  const day = new Date(startMs).toISOString().slice(0, 10);
  return new DomainError("STORE_DAMAGED", `telemetry of the 7 days from ${day} on is damaged`);
}
