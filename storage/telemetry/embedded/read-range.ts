import { setImmediate as nextTurn } from "node:timers/promises";
import { LATE_FIELD } from "../../../domain/equipment/lateness.ts";
import { DomainError } from "../../../domain/errors.ts";
import type { Series, SeriesQuery } from "../../ports/telemetry-store.ts";
import type { Points } from "../points/points.ts";
import { createSeries } from "../points/series.ts";
import { settle, withoutColumn } from "../points/settle.ts";
import { keyWindows } from "../points/windows.ts";
import { readBlock } from "./blocks/block.ts";
import { PERIOD_MS, rowKey } from "./blocks/period.ts";
import type { FileDamage } from "./lmdb/damaged-periods.ts";
import type { LmdbFile } from "./lmdb/lmdb-file.ts";
import { findBlocks, type PeriodFiles, readRuns } from "./lmdb/period-file.ts";
import type { Memtable } from "./sealing/memtable.ts";

/**
 * Longest that a read works without letting other work in, ms. More delays acknowledgements; less slows long
 * reads.
 */
const SLICE_MS = 4;
/** Cells of one window of a read: about 1 ms of work. */
const WINDOW_CELLS = 64 * 1024;

export interface RangeSource {
  /** Retained for this read; they hold everything that the files do not. */
  readonly memtables: readonly Memtable[];
  /** Asked again before each file is opened: a period may expire while a read goes on. */
  readonly isReadable: (startMs: number) => boolean;
  readonly periods: readonly number[];
  readonly files: PeriodFiles;
  /** Called on every file in which something cannot be read. */
  readonly onDamage: (damage: FileDamage) => void;
}

/** Reads one asset's rows as columns; see {@link readRows}. */
export async function readRange(
  source: RangeSource,
  asset: number,
  query: SeriesQuery,
): Promise<Series> {
  const pause = pauser();
  return createSeries(await readRows(source, asset, query, pause), pause);
}

/**
 * Reads one asset's settled rows, ascending, each with its project. The memtables must have been retained before: whatever is sealed while
 * the read goes on is then seen twice, which is harmless, and never missed. Each file is read in one
 * turn of the event loop, hence from one snapshot; decoding and merging let other work in.
 */
export async function readRows(
  { memtables, periods, isReadable, files, onDamage }: RangeSource,
  asset: number,
  query: SeriesQuery,
  pause = pauser(),
): Promise<readonly Points[]> {
  const fromMs = Math.ceil(query.fromMs);
  const toMs = Math.ceil(query.toMs);
  const fields = query.fields && new Set(query.fields);
  // Which receipt was the first is decided among rows with a position.
  const isHelped = fields?.has(LATE_FIELD) === true && !fields.has("latitude");
  if (isHelped) fields.add("latitude");
  const streams: Iterator<Points>[] = [];
  for (const memtable of memtables) {
    for (const piece of memtable.pieces(asset, fromMs, toMs, fields)) {
      streams.push([settle(piece, "points")].values());
      await pause();
    }
  }
  for (const startMs of periods) {
    if (startMs >= toMs || startMs + PERIOD_MS <= fromMs) continue;
    const file = isReadable(startMs) ? files.openExisting(startMs) : undefined;
    if (file === undefined) continue;
    const from = Math.max(0, fromMs - startMs);
    const to = Math.min(PERIOD_MS, toMs - startMs);
    for (const blocks of reportingDamage(startMs, onDamage, () =>
      blocksOf(file, asset, from, to),
    )) {
      const decoded = decodeBlocks(blocks, asset, startMs, from, to, fields);
      streams.push(eachReportingDamage(startMs, onDamage, decoded));
    }
    await pause();
  }
  const rows: Points[] = [];
  for (const window of keyWindows(streams, WINDOW_CELLS)) {
    const settled = settle(window, "rows");
    rows.push(isHelped ? withoutColumn(settled, "latitude") : settled);
    await pause();
  }
  return rows;
}

/** The blocks of each run that may hold rows of the asset. */
function blocksOf(file: LmdbFile, asset: number, fromMs: number, toMs: number): Uint8Array[][] {
  // The snapshot of an earlier read of this turn may be older than the last seal.
  file.resetReadTxn();
  return readRuns(file)
    .map((run) => findBlocks(file, run, asset, fromMs, toMs))
    .filter((blocks) => blocks.length > 0);
}

/** Does `work` on the file of a period, and reports its damage. @throws DomainError `STORE_DAMAGED`. */
function reportingDamage<T>(startMs: number, onDamage: RangeSource["onDamage"], work: () => T): T {
  try {
    return work();
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    onDamage({ file: `period-${startMs}.mdb`, problem });
    throw new DomainError("STORE_DAMAGED", `telemetry cannot be read: ${problem}`, { cause });
  }
}

function* eachReportingDamage(
  startMs: number,
  onDamage: RangeSource["onDamage"],
  parts: Iterator<Points>,
): Generator<Points> {
  for (;;) {
    const next = reportingDamage(startMs, onDamage, () => parts.next());
    if (next.done === true) return;
    yield next.value;
  }
}

function* decodeBlocks(
  blocks: readonly Uint8Array[],
  asset: number,
  startMs: number,
  fromMs: number,
  toMs: number,
  fields: ReadonlySet<string> | undefined,
): Generator<Points> {
  const base = rowKey(asset, 0);
  const query = { asset, fromKey: base + fromMs, toKey: base + toMs, fields };
  for (const bytes of blocks) {
    const points = readBlock(bytes, query);
    if (points === undefined) continue;
    for (let row = 0; row < points.count; row++) {
      points.keys[row] = (points.keys[row] as number) - base + startMs;
    }
    yield points;
  }
}

/** A function that yields to other work when the slice is used up. */
function pauser(): () => Promise<void> | undefined {
  let startedMs = performance.now();
  return () => {
    if (performance.now() - startedMs < SLICE_MS) return undefined;
    return nextTurn().then(() => {
      startedMs = performance.now();
    });
  };
}
