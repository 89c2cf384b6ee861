import { existsSync, readdirSync, rmSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Block, RunExtent } from "../blocks/block-cutter.ts";
import { assetOfKey, relativeMsOfKey, rowKey } from "../blocks/period.ts";
import { hasCrc, withCrc, withoutCrc } from "./checked-value.ts";
import { type LmdbFile, openLmdbFile, syncFolder } from "./lmdb-file.ts";

/**
 * The file of one period. A run is a sorted sequence of blocks: what one seal or one compaction wrote. Blocks
 * count only when the directory names their run, so an interrupted run is invisible. One write of the
 * directory replaces old runs with a new one.
 *
 *     0x00                                                    directory: JSON array of runs, and a CRC
 *     0x01 run asset time-in-period block, four uint32 BE     one block, under its first row
 */
export interface Run extends RunExtent {
  readonly id: number;
  /** 0 = from a seal; n + 1 = merged from runs of level n. */
  readonly level: number;
}

const DIRECTORY = Uint8Array.of(0);
const BLOCK_TAG = 1;
const UINT32_MAX = 0xffffffff;

function blockKey(run: number, firstKey: number, block: number): Uint8Array {
  const key = new Uint8Array(17);
  const view = new DataView(key.buffer);
  key[0] = BLOCK_TAG;
  view.setUint32(1, run);
  view.setUint32(5, assetOfKey(firstKey));
  view.setUint32(9, relativeMsOfKey(firstKey));
  view.setUint32(13, block);
  return key;
}

/** Whether an entry of the file is the directory, and not a block. */
export const isDirectoryKey = (key: Uint8Array): boolean => key.length === 1 && key[0] === 0;

export const runOfBlockKey = (key: Uint8Array): number =>
  new DataView(key.buffer, key.byteOffset, key.byteLength).getUint32(1);

/**
 * The runs that make up the period, oldest first.
 * @throws DomainError `STORE_DAMAGED`.
 */
export function readRuns(file: LmdbFile): readonly Run[] {
  const bytes = file.get(DIRECTORY);
  return bytes === undefined ? [] : decodeRuns(bytes);
}

/** The runs of a directory. @throws DomainError `STORE_DAMAGED` when it is not as it was written. */
export function decodeRuns(bytes: Uint8Array): readonly Run[] {
  // An earlier version wrote the JSON alone; a CRC ends with a bracket once in 256 times.
  const isPlain = bytes.at(-1) === "]".charCodeAt(0) && !hasCrc(DIRECTORY, bytes);
  const json = isPlain ? bytes : withoutCrc(DIRECTORY, bytes);
  return JSON.parse(new TextDecoder().decode(json)) as Run[];
}

/** Inside a write transaction. */
export function putRuns(file: LmdbFile, runs: readonly Run[]): void {
  file.putSync(DIRECTORY, withCrc(DIRECTORY, new TextEncoder().encode(JSON.stringify(runs))));
}

/** Inside a write transaction. `index` counts the blocks of the run from 0. */
export function putBlock(file: LmdbFile, run: number, index: number, block: Block): void {
  file.putSync(blockKey(run, block.firstKey, index), block.bytes);
}

/** One more than the highest run id that any block has, listed or not. */
export function nextRunId(file: LmdbFile): number {
  const start = blockKey(UINT32_MAX, 0, UINT32_MAX);
  const [last] = file.getKeys({ start, end: DIRECTORY, reverse: true, limit: 1 });
  return last === undefined ? 1 : runOfBlockKey(last) + 1;
}

/** Ids of the runs that have blocks but are not in the directory: left by an interruption. */
export function strayRuns(file: LmdbFile): number[] {
  const listed = new Set(readRuns(file).map(({ id }) => id));
  const stray: number[] = [];
  for (let run = 0; ; ) {
    const [key] = file.getKeys({ start: blockKey(run, 0, 0), limit: 1 });
    if (key === undefined) return stray;
    const id = runOfBlockKey(key);
    if (!listed.has(id)) stray.push(id);
    run = id + 1;
  }
}

/** Deletes up to `limit` blocks of a run, inside a write transaction; false when none are left. */
export function removeBlocks(file: LmdbFile, run: number, limit: number): boolean {
  const range = { start: blockKey(run, 0, 0), end: blockKey(run + 1, 0, 0), limit };
  const keys = [...file.getKeys(range)];
  for (const key of keys) file.removeSync(key);
  return keys.length > 0;
}

/** The next blocks of a run behind `after`, for reading a run in slices. */
export function blocksAfter(
  file: LmdbFile,
  run: number,
  after: Uint8Array | undefined,
  limit: number,
): { readonly key: Uint8Array; readonly value: Uint8Array }[] {
  const start = after ?? blockKey(run, 0, 0);
  const end = blockKey(run + 1, 0, 0);
  return [...file.getRange({ start, end, limit, exclusiveStart: after !== undefined })];
}

/** The blocks of a run that may hold rows of `asset` in `[fromMs, toMs)` since the period's start. */
export function findBlocks(
  file: LmdbFile,
  run: Run,
  asset: number,
  fromMs: number,
  toMs: number,
): Uint8Array[] {
  const from = rowKey(asset, fromMs);
  const to = rowKey(asset, toMs);
  if (run.maxKey < from || run.minKey >= to || run.maxMs < fromMs || run.minMs >= toMs) return [];
  // The block before the first that starts at `from` may hold rows from `from` on as well.
  const [floor] = file.getKeys({
    start: blockKey(run.id, from, 0),
    end: blockKey(run.id, 0, 0),
    inclusiveEnd: true,
    reverse: true,
    limit: 1,
  });
  const start = floor ?? blockKey(run.id, from, 0);
  const end = blockKey(run.id, to, 0);
  return [...file.getRange({ start, end })].map(({ value }) => value);
}

const FILE_NAME = /^period-(-?\d+)\.mdb$/;

export const periodPath = (dir: string, startMs: number): string =>
  join(dir, `period-${startMs}.mdb`);

/** Starts of the periods that have a file, ascending. */
export async function listPeriods(dir: string): Promise<number[]> {
  const starts = (await readdir(dir)).map((name) =>
    Number(FILE_NAME.exec(name)?.[1] ?? Number.NaN),
  );
  return starts.filter((start) => !Number.isNaN(start)).sort((a, b) => a - b);
}

/** Removes every file of a period, one that was set aside too; nobody may have it open. */
export function removePeriod(dir: string, startMs: number): void {
  const file = basename(periodPath(dir, startMs));
  for (const name of readdirSync(dir)) {
    if (name === file || name === `${file}-lock` || name.startsWith(`${file}.damaged-`)) {
      rmSync(join(dir, name), { force: true });
    }
  }
  syncFolder(dir);
}

/** Open files of periods, at most `limit`, the least recently used closed first. */
export class PeriodFiles {
  private readonly dir: string;
  private readonly limit: number;
  private readonly files = new Map<number, LmdbFile>();
  private readonly closing = new Set<Promise<void>>();

  constructor(dir: string, limit: number) {
    this.dir = dir;
    this.limit = limit;
  }

  /** Opens the file, creating it. It stays open until `limit` others were asked for. */
  open(startMs: number): LmdbFile {
    const file = this.files.get(startMs) ?? openLmdbFile(periodPath(this.dir, startMs));
    this.files.delete(startMs);
    this.files.set(startMs, file);
    for (const oldest of this.files.keys()) {
      if (this.files.size <= this.limit) break;
      this.startClosing(oldest);
    }
    return file;
  }

  /** Like `open`, but a period without file stays without. */
  openExisting(startMs: number): LmdbFile | undefined {
    const known = this.files.has(startMs) || existsSync(periodPath(this.dir, startMs));
    return known ? this.open(startMs) : undefined;
  }

  async close(startMs: number): Promise<void> {
    this.startClosing(startMs);
    await Promise.all(this.closing);
  }

  async closeAll(): Promise<void> {
    for (const startMs of [...this.files.keys()]) this.startClosing(startMs);
    await Promise.all(this.closing);
  }

  private startClosing(startMs: number): void {
    const file = this.files.get(startMs);
    if (file === undefined) return;
    this.files.delete(startMs);
    const done = file.close().finally(() => this.closing.delete(done));
    this.closing.add(done);
  }
}
