import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { BLOCK_MARK, blockLength, readBlock } from "../telemetry/embedded/blocks/block.ts";
import { assetOfKey, relativeMsOfKey } from "../telemetry/embedded/blocks/period.ts";
import { walkLmdbFile } from "../telemetry/embedded/lmdb/lmdb-pages.ts";
import {
  decodeRuns,
  isDirectoryKey,
  type Run,
  runOfBlockKey,
} from "../telemetry/embedded/lmdb/period-file.ts";
import type { Points } from "../telemetry/points/points.ts";

/** Bytes of a file that are searched for blocks at a time; a block is some 40 kB, at most a few MB. */
const SEARCH_BYTES = 64 * 1024 ** 2;
const SEARCH_OVERLAP_BYTES = 16 * 1024 ** 2;

/** A block that can be read, and where. */
export interface ReadableBlock {
  readonly firstKey: number;
  readonly lastKey: number;
  /** Place in the file. */
  readonly offset: number;
  /** Reads and decodes it again, so that not all need be in memory together. */
  points(): Points;
}

/** What is readable of a period file, with or without its index. */
export interface ReadablePeriod {
  readonly problems: readonly string[];
  readonly blocks: readonly ReadableBlock[];
  readonly rows: number;
  /** Numbers of the assets in the catalog, each with the number of a project of it. */
  readonly projectByAsset: ReadonlyMap<number, number>;
  /** Times since the start of the period, ms, both inclusive; `undefined`: no row. */
  readonly span: { readonly fromMs: number; readonly toMs: number } | undefined;
}

/**
 * Reads every block of a period file without LMDB and checks it. Where the index is damaged, the whole file
 * is searched for blocks, also those that merges have left behind: their rows are in other blocks too, and
 * rows that are stored twice are one.
 * @throws Error of the file system.
 */
export function readPeriod(path: string): ReadablePeriod {
  const problems: string[] = [];
  const handle = openSync(path, "r");
  try {
    const size = fstatSync(handle).size;
    if (size === 0) return summary(["it is empty"], []);
    const listed = walkBlocks(path, problems);
    if (problems.length === 0) return summary([], listed);
    const offsets = new Set(listed.map(({ offset }) => offset));
    const others = [...searchBlocks(path, handle, size)].filter(
      ({ offset }) => !offsets.has(offset),
    );
    return summary(problems, [...listed, ...others]);
  } finally {
    closeSync(handle);
  }
}

function walkBlocks(path: string, problems: string[]): ReadableBlock[] {
  const blocks: ReadableBlock[] = [];
  const countByRun = new Map<number, number>();
  let runs: readonly Run[] = [];
  walkLmdbFile(path, {
    entry(key, read, { offset, length }) {
      try {
        if (isDirectoryKey(key)) {
          runs = decodeRuns(read());
          return;
        }
        const run = runOfBlockKey(key);
        countByRun.set(run, (countByRun.get(run) ?? 0) + 1);
        const block = readable(offset, () => readPart(path, offset, length));
        if (block !== undefined) blocks.push(block);
      } catch {
        problems.push("a block of it is damaged");
      }
    },
    problem: (text) => problems.push(text),
  });
  for (const { id, blocks: expected } of runs) {
    const missing = (expected ?? 0) - (countByRun.get(id) ?? 0);
    if (missing > 0) problems.push(`${missing} of its blocks are missing`);
  }
  return blocks;
}

/** @throws DomainError `STORE_DAMAGED`, or another error for a block without CRC. */
function readable(offset: number, read: () => Uint8Array): ReadableBlock | undefined {
  const points = readBlock(read());
  const firstKey = points?.keys[0];
  if (points === undefined || firstKey === undefined) return undefined;
  const lastKey = points.keys[points.count - 1] ?? firstKey;
  return { firstKey, lastKey, offset, points: () => readBlock(read()) ?? points };
}

function* searchBlocks(path: string, handle: number, size: number): Generator<ReadableBlock> {
  const bytes = Buffer.alloc(Math.min(size, SEARCH_BYTES + SEARCH_OVERLAP_BYTES));
  for (let at = 0; at < size; at += SEARCH_BYTES) {
    const filled = readSync(handle, bytes, 0, bytes.length, at);
    const part = bytes.subarray(0, filled);
    for (let mark = part.indexOf(BLOCK_MARK); mark >= 0 && mark < SEARCH_BYTES; ) {
      const length = blockLength(part, mark);
      const offset = at + mark;
      const block = length === undefined ? undefined : found(path, offset, length);
      if (block !== undefined) yield block;
      mark = part.indexOf(BLOCK_MARK, mark + (length ?? 1));
    }
  }
}

function found(path: string, offset: number, length: number): ReadableBlock | undefined {
  try {
    return readable(offset, () => readPart(path, offset, length));
  } catch {
    return undefined;
  }
}

function readPart(path: string, offset: number, length: number): Uint8Array {
  const handle = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(length);
    readSync(handle, bytes, 0, length, offset);
    return bytes;
  } finally {
    closeSync(handle);
  }
}

function summary(problems: readonly string[], blocks: readonly ReadableBlock[]): ReadablePeriod {
  const projectByAsset = new Map<number, number>();
  let rows = 0;
  let fromMs = Number.POSITIVE_INFINITY;
  let toMs = 0;
  for (const block of blocks) {
    const { count, keys, projects } = block.points();
    rows += count;
    for (let row = 0; row < count; row++) {
      const key = keys[row] ?? 0;
      fromMs = Math.min(fromMs, relativeMsOfKey(key));
      toMs = Math.max(toMs, relativeMsOfKey(key));
      projectByAsset.set(assetOfKey(key), projects[row] ?? 0);
    }
  }
  const span = rows === 0 ? undefined : { fromMs, toMs };
  return { problems: [...new Set(problems)], blocks, rows, projectByAsset, span };
}
