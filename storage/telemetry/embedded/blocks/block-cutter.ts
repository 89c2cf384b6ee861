import { concatPoints, type Points, slicePoints } from "../../points/points.ts";
import { hasValue, writeBlock } from "./block.ts";
import { ByteWriter } from "./byte-writer.ts";
import { relativeMsOfKey } from "./period.ts";

/**
 * Rows of one block. Larger makes fewer look-ups for a long range and more waste for a short one.
 * Measured with bench/store.ts; see docs/decisions/004.
 */
export const BLOCK_ROWS = 2_048;
/**
 * Most fields of one block: machines that invent field names must not make blocks of any size. Fewer would
 * cut ordinary blocks short.
 */
export const MAX_BLOCK_FIELDS = 256;
/** A typical block has about 20 bytes a row. */
const USUAL_BLOCK_BYTES = BLOCK_ROWS * 32;

export interface Block {
  readonly firstKey: number;
  readonly bytes: Uint8Array;
}

/** What a finished run says of its rows; times since the start of the period, ms, both inclusive. */
export interface RunExtent {
  readonly rows: number;
  /** Absent in runs of an earlier version. */
  readonly blocks?: number;
  readonly minKey: number;
  readonly maxKey: number;
  readonly minMs: number;
  readonly maxMs: number;
}

/** Cuts settled points, given in rising order, into encoded blocks. */
export class BlockCutter {
  private readonly writer = new ByteWriter(USUAL_BLOCK_BYTES);
  private readonly emit: (block: Block) => void;
  private pending: Points | undefined;
  private extent: RunExtent | undefined;

  constructor(emit: (block: Block) => void) {
    this.emit = emit;
  }

  add(points: Points): void {
    if (points.count === 0) return;
    const all = this.pending === undefined ? points : concatPoints([this.pending, points]);
    let start = 0;
    for (; all.count - start >= BLOCK_ROWS; start += BLOCK_ROWS) {
      this.cut(slicePoints(all, start, start + BLOCK_ROWS));
    }
    this.pending = start < all.count ? slicePoints(all, start, all.count) : undefined;
  }

  /** Writes what is left; `undefined` when there were no rows at all. */
  finish(): RunExtent | undefined {
    if (this.pending !== undefined) this.cut(this.pending);
    this.pending = undefined;
    return this.extent;
  }

  private cut(points: Points): void {
    if (points.count > 1 && points.names.length > MAX_BLOCK_FIELDS) {
      const carried = points.columns.filter(hasValue).length;
      if (carried > MAX_BLOCK_FIELDS) {
        const middle = points.count >> 1;
        this.cut(slicePoints(points, 0, middle));
        this.cut(slicePoints(points, middle, points.count));
        return;
      }
    }
    this.extent = widen(this.extent, points);
    writeBlock(this.writer, points);
    this.emit({ firstKey: points.keys[0] as number, bytes: this.writer.take() });
  }
}

function widen(extent: RunExtent | undefined, { count, keys }: Points): RunExtent {
  let minMs = extent?.minMs ?? Number.POSITIVE_INFINITY;
  let maxMs = extent?.maxMs ?? 0;
  for (let row = 0; row < count; row++) {
    const timeMs = relativeMsOfKey(keys[row] as number);
    if (timeMs < minMs) minMs = timeMs;
    if (timeMs > maxMs) maxMs = timeMs;
  }
  return {
    rows: (extent?.rows ?? 0) + count,
    blocks: (extent?.blocks ?? 0) + 1,
    minKey: extent?.minKey ?? (keys[0] as number),
    maxKey: keys[count - 1] as number,
    minMs,
    maxMs,
  };
}
