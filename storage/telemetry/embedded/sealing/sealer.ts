import { DomainError } from "../../../../domain/errors.ts";
import type { JournalPosition } from "../../../ports/journal.ts";
import { settle } from "../../points/settle.ts";
import { type Block, BlockCutter } from "../blocks/block-cutter.ts";
import { type NumberedName, openCatalog, readCatalog, writeCatalog } from "../lmdb/catalog.ts";
import type { LmdbFile } from "../lmdb/lmdb-file.ts";
import { appendNames } from "../lmdb/name-log.ts";
import {
  nextRunId,
  PeriodFiles,
  putBlock,
  putRuns,
  readRuns,
  removePeriod,
  strayRuns,
} from "../lmdb/period-file.ts";
import { deleteRun, FAN_IN, mergeRuns, runsToMerge } from "./compaction.ts";
import { type PeriodRecords, sortedWindows, splitByPeriod } from "./heap-rows.ts";
import type { SealedHeap } from "./memtable-layout.ts";

/** Files kept open for writing. Machines report into one or two periods; more only take address space. */
const OPEN_FILES = 4;
/** With so many unmerged runs of level 0 a seal merges first: reads must not get slower for ever. */
const MAX_BEHIND = 4 * FAN_IN;

/** What one seal stores. */
export interface SealRequest {
  readonly heap: SealedHeap;
  /** Names numbered since the last seal that succeeded. */
  readonly names: readonly NumberedName[];
  readonly position: JournalPosition | undefined;
}

/** Work of the background, a slice per step. */
interface BackgroundWork {
  readonly startMs: number;
  readonly slices: Generator<void, void>;
}

/** The writer of the store; it alone writes LMDB. Everything is synchronous: it lives in a thread. */
export class Sealer {
  private readonly dir: string;
  private readonly catalog: LmdbFile;
  private readonly files: PeriodFiles;
  /** Next run id by period, for as long as the process lives: ids are never used twice. */
  private readonly nextIds = new Map<number, number>();
  /** Periods that may have something to merge or to clean. */
  private readonly untidy: number[];
  /** Periods with a block that cannot be read: nothing of them is merged. */
  private readonly damaged = new Set<number>();
  /** The periods that the catalog lists. */
  private listed: ReadonlySet<number>;
  private work: BackgroundWork | undefined;

  constructor(dir: string, periods: readonly number[]) {
    this.dir = dir;
    this.catalog = openCatalog(dir);
    this.files = new PeriodFiles(dir, OPEN_FILES);
    this.untidy = [...periods];
    this.listed = new Set(readCatalog(this.catalog).periods);
    this.list([...this.listed, ...periods]);
  }

  /**
   * Stores a memtable: the names, then the blocks of each period, then the list of periods and the
   * position, each durable before the next. Doing it again after a failure or a crash is harmless. Returns the periods.
   */
  seal({ heap, names, position }: SealRequest): number[] {
    appendNames(this.dir, names);
    if (names.length > 0) writeCatalog(this.catalog, { names });
    const periods = heap.count === 0 ? [] : splitByPeriod(heap);
    for (const records of periods) this.sealPeriod(heap, records);
    const starts = periods.map(({ startMs }) => startMs);
    this.list([...this.listed, ...starts]);
    if (position !== undefined) writeCatalog(this.catalog, { position });
    return starts;
  }

  /** Does one slice of background work; false when there is nothing to do. */
  tidy(): boolean {
    while (this.work === undefined) {
      const startMs = this.untidy[0];
      if (startMs === undefined) return false;
      this.work = this.findWork(startMs);
      if (this.work === undefined) this.untidy.shift();
    }
    this.step(this.work);
    return true;
  }

  async expire(periods: readonly number[]): Promise<void> {
    // Before the files go: a listed period without a file is a loss.
    this.list([...this.listed].filter((startMs) => !periods.includes(startMs)));
    for (const startMs of periods) {
      if (this.work?.startMs === startMs) this.work = undefined;
      const index = this.untidy.indexOf(startMs);
      if (index >= 0) this.untidy.splice(index, 1);
      this.nextIds.delete(startMs);
      this.damaged.delete(startMs);
      await this.files.close(startMs);
      removePeriod(this.dir, startMs);
    }
  }

  async close(): Promise<void> {
    this.work = undefined;
    await this.files.closeAll();
    await this.catalog.close();
  }

  private list(periods: readonly number[]): void {
    const starts = new Set(periods);
    if (starts.size === this.listed.size && periods.every((start) => this.listed.has(start)))
      return;
    writeCatalog(this.catalog, { periods: [...starts].sort((a, b) => a - b) });
    this.listed = starts;
  }

  private sealPeriod(heap: SealedHeap, records: PeriodRecords): void {
    const { startMs } = records;
    this.catchUp(startMs);
    const file = this.files.open(startMs);
    const id = this.takeRunId(startMs, file);
    const blocks: Block[] = [];
    const cutter = new BlockCutter((block) => blocks.push(block));
    for (const window of sortedWindows(heap, records)) cutter.add(settle(window, "points"));
    const extent = cutter.finish();
    if (extent === undefined) return;
    file.transactionSync(() => {
      for (const [index, block] of blocks.entries()) putBlock(file, id, index, block);
      putRuns(file, [...readRuns(file), { id, level: 0, ...extent }]);
    });
    if (!this.untidy.includes(startMs)) this.untidy.push(startMs);
  }

  /** Back pressure of the last resort: merges until the period is not too far behind. */
  private catchUp(startMs: number): void {
    const isBehind = () =>
      readRuns(this.files.open(startMs)).filter(({ level }) => level === 0).length >= MAX_BEHIND;
    while (isBehind()) {
      this.work ??= this.findWork(startMs);
      if (this.work === undefined) return;
      this.step(this.work);
    }
  }

  private step(work: BackgroundWork): void {
    try {
      if (work.slices.next().done === true) this.work = undefined;
    } catch (error) {
      this.work = undefined;
      if (!(error instanceof DomainError && error.code === "STORE_DAMAGED")) throw error;
      // Reads report it; new runs are readable all the same.
      this.damaged.add(work.startMs);
    }
  }

  private findWork(startMs: number): BackgroundWork | undefined {
    const file = this.damaged.has(startMs) ? undefined : this.files.openExisting(startMs);
    if (file === undefined) return undefined;
    const open = () => this.files.open(startMs);
    // Nothing is under way here, so every run that the directory does not name is stray.
    const [stray] = strayRuns(file);
    if (stray !== undefined) return { startMs, slices: deleteRun(open, stray) };
    const runs = runsToMerge(readRuns(file));
    if (runs === undefined) return undefined;
    return { startMs, slices: mergeRuns(open, this.takeRunId(startMs, file), runs) };
  }

  private takeRunId(startMs: number, file: LmdbFile): number {
    const id = this.nextIds.get(startMs) ?? nextRunId(file);
    this.nextIds.set(startMs, id + 1);
    return id;
  }
}
