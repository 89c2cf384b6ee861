import { DomainError } from "../../../domain/errors.ts";
import type { AssetId } from "../../../domain/ids.ts";
import type { FolderLock } from "../../data-folder/folder-lock.ts";
import type { JournalPosition } from "../../ports/journal.ts";
import type {
  PointRun,
  Series,
  SeriesQuery,
  TelemetryPoint,
  TelemetryStore,
} from "../../ports/telemetry-store.ts";
import { PointList } from "../points/point-list.ts";
import { createSeries } from "../points/series.ts";
import { PERIOD_MS } from "./blocks/period.ts";
import { copyStore } from "./copy.ts";
import { exportPoints } from "./export-points.ts";
import type { FileDamage } from "./lmdb/damaged-periods.ts";
import type { PeriodFiles } from "./lmdb/period-file.ts";
import { type RangeSource, readRange, readRows } from "./read-range.ts";
import type { SealThread } from "./sealing/seal-thread.ts";
import type { WritePath } from "./write-path.ts";

/** What the store works with; closing it closes all of it. */
export interface EmbeddedStoreParts {
  readonly dir: string;
  readonly lock: FolderLock;
  readonly thread: SealThread;
  readonly files: PeriodFiles;
  readonly path: WritePath;
  /** Starts of the periods that have a file, ms; whoever seals adds to them. */
  readonly periods: Set<number>;
  /** Starts of the periods that lack rows, ms. */
  readonly incomplete: Set<number>;
  readonly onDamage: (damage: FileDamage) => void;
}

/** The embedded store as it is open; it can also be copied as a whole and be read to its end. */
export class EmbeddedTelemetryStore implements TelemetryStore {
  readonly #parts: EmbeddedStoreParts;
  readonly #expiring = new Set<number>();
  /** Copies and expiry take turns: a file must not go while it is copied. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(parts: EmbeddedStoreParts) {
    this.#parts = parts;
  }

  write(points: readonly TelemetryPoint[], position: JournalPosition): Promise<void> {
    return this.#parts.path.write(new PointList(points), position);
  }

  writeRun(points: PointRun, position: JournalPosition): Promise<void> {
    return this.#parts.path.write(points, position);
  }

  get durablePosition(): JournalPosition | undefined {
    return this.#parts.path.durablePosition;
  }

  onDurable(listener: (position: JournalPosition) => void): void {
    this.#parts.path.onDurable(listener);
  }

  read(query: SeriesQuery): Promise<Series> {
    return this.#reading(query, createSeries([]), (source, asset) =>
      readRange(source, asset, query),
    );
  }

  flush(): Promise<void> {
    return this.#parts.path.flush();
  }

  expire(beforeMs: number): Promise<void> {
    const { thread, files, periods, incomplete } = this.#parts;
    return this.#inTurn(async () => {
      const old = [...new Set([...periods, ...incomplete])].filter(
        (startMs) => startMs + PERIOD_MS <= beforeMs,
      );
      if (old.length === 0) return;
      for (const startMs of old) this.#expiring.add(startMs);
      for (const startMs of old) await files.close(startMs);
      await thread.expire(old);
      for (const startMs of old) {
        periods.delete(startMs);
        incomplete.delete(startMs);
        this.#expiring.delete(startMs);
      }
    });
  }

  /**
   * Copies everything that is durable now to a folder that must not exist, while the store goes on.
   * The copy's durable position is not later than what is in it.
   */
  copyTo(to: string): Promise<void> {
    const { dir, path, incomplete } = this.#parts;
    return this.#inTurn(() => copyStore(dir, to, path.durablePosition, [...incomplete]));
  }

  /** Every asset that ever had a point here, sorted. */
  assetIds(): readonly AssetId[] {
    return this.#parts.path.assets.names().toSorted() as AssetId[];
  }

  /** Interval `[fromMs, toMs)` of whole periods that holds every durable point; `undefined`: none. */
  timeSpan(): { readonly fromMs: number; readonly toMs: number } | undefined {
    const starts = [...this.#parts.periods];
    if (starts.length === 0) return undefined;
    return { fromMs: Math.min(...starts), toMs: Math.max(...starts) + PERIOD_MS };
  }

  /**
   * One asset's rows as points, ascending, one per fix time. `seq` and `payloadHash` are those of one
   * of the points that the row was merged from.
   */
  export(query: SeriesQuery): Promise<readonly TelemetryPoint[]> {
    const { projects } = this.#parts.path;
    return this.#reading(query, [], async (source, asset) =>
      exportPoints(query.assetId, await readRows(source, asset, query), projects.names()),
    );
  }

  async close(): Promise<void> {
    const { path, thread, files, lock } = this.#parts;
    try {
      await path.close();
    } finally {
      await thread.close();
      await files.closeAll();
      await lock.release();
    }
  }

  /** Calls `work` with all that may hold rows of the query; `none` where there can be no row. */
  async #reading<T>(
    query: SeriesQuery,
    none: T | Promise<T>,
    work: (source: RangeSource, asset: number) => Promise<T>,
  ): Promise<T> {
    const { path, periods, incomplete, files, onDamage } = this.#parts;
    const asset = path.assets.find(query.assetId);
    if (asset === undefined || !(query.fromMs < query.toMs)) return none;
    for (const startMs of incomplete) {
      if (startMs < query.toMs && startMs + PERIOD_MS > query.fromMs)
        throw incompletePeriod(startMs);
    }
    const memtables = path.retainMemtables();
    try {
      const isReadable = (startMs: number) => !this.#expiring.has(startMs);
      const source = { memtables, periods: [...periods], isReadable, files, onDamage };
      return await work(source, asset);
    } finally {
      for (const memtable of memtables) memtable.release();
    }
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const next = this.#turn.then(work);
    this.#turn = next.catch(() => undefined);
    return next;
  }
}

function incompletePeriod(startMs: number): DomainError {
  const day = new Date(startMs).toISOString().slice(0, 10);
  return new DomainError("STORE_DAMAGED", `telemetry of the 7 days from ${day} on is damaged`);
}
