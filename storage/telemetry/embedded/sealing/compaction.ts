import type { Points } from "../../points/points.ts";
import { settle } from "../../points/settle.ts";
import { keyWindows } from "../../points/windows.ts";
import { readBlock } from "../blocks/block.ts";
import { type Block, BlockCutter } from "../blocks/block-cutter.ts";
import type { LmdbFile } from "../lmdb/lmdb-file.ts";
import {
  blocksAfter,
  putBlock,
  putRuns,
  type Run,
  readRuns,
  removeBlocks,
} from "../lmdb/period-file.ts";

/**
 * So many runs of a level become one of the next: a point is rewritten once per level, and a read opens at
 * most 7 runs per level. With 4 there are more rewrites, with 16 more runs to read.
 */
export const FAN_IN = 8;
/**
 * Runs of this level (4,096 seals) are not merged any further: one more level would rewrite the whole
 * period.
 */
const MAX_LEVEL = 4;
/** Blocks written or deleted in one transaction, so that a seal never waits long; fewer mean more syncs. */
const SLICE_BLOCKS = 32;
/** Blocks of a run fetched at once. */
const FETCH_BLOCKS = 4;

/** The oldest runs of the lowest level that has enough of them. */
export function runsToMerge(runs: readonly Run[]): readonly Run[] | undefined {
  for (let level = 0; level < MAX_LEVEL; level++) {
    const candidates = runs.filter((run) => run.level === level).sort((a, b) => a.id - b.id);
    if (candidates.length >= FAN_IN) return candidates.slice(0, FAN_IN);
  }
  return undefined;
}

/**
 * Merges runs into the run `id`, in slices: one transaction before each yield. Until the last one
 * the new run is invisible; then the directory names it in the place of the old ones. What an
 * interruption leaves, and the blocks of the old runs, are stray: `deleteRun` removes them.
 * `open` gives the file of the period, which may have been closed since the last slice.
 */
export function* mergeRuns(
  open: () => LmdbFile,
  id: number,
  merged: readonly Run[],
): Generator<void, void> {
  const ready: Block[] = [];
  const cutter = new BlockCutter((block) => ready.push(block));
  let written = 0;
  const write = () => {
    for (const block of ready.splice(0)) putBlock(open(), id, written++, block);
  };
  for (const window of keyWindows(merged.map((run) => readRun(open, run.id)))) {
    cutter.add(settle(window, "points"));
    if (ready.length < SLICE_BLOCKS) continue;
    open().transactionSync(write);
    yield;
  }
  const extent = cutter.finish();
  const gone = new Set(merged.map((run) => run.id));
  const level = Math.max(...merged.map((run) => run.level)) + 1;
  const file = open();
  file.transactionSync(() => {
    write();
    const kept = readRuns(file).filter((run) => !gone.has(run.id));
    putRuns(file, extent === undefined ? kept : [...kept, { id, level, ...extent }]);
  });
}

/** Deletes the blocks of a run that the directory does not name, one transaction before each yield. */
export function* deleteRun(open: () => LmdbFile, run: number): Generator<void, void> {
  for (let left = true; left; ) {
    const file = open();
    left = file.transactionSync(() => removeBlocks(file, run, SLICE_BLOCKS * 8));
    yield;
  }
}

function* readRun(open: () => LmdbFile, run: number): Generator<Points> {
  let after: Uint8Array | undefined;
  for (;;) {
    const blocks = blocksAfter(open(), run, after, FETCH_BLOCKS);
    if (blocks.length === 0) return;
    for (const { key, value } of blocks) {
      after = key;
      const points = readBlock(value);
      if (points !== undefined) yield points;
    }
  }
}
