import { ascendingOrder } from "../../points/order.ts";
import { createPoints, type Points } from "../../points/points.ts";
import { BLOCK_ROWS, MAX_BLOCK_FIELDS } from "../blocks/block-cutter.ts";
import { periodStart, rowKey } from "../blocks/period.ts";
import {
  ASSET_AT,
  FIRST_RECORD,
  HASH_AT,
  PROJECT_AT,
  SEQ_AT,
  type SealedHeap,
  SHAPE_AT,
  TIME_AT,
  VALUES_AT,
} from "./memtable-layout.ts";

/** The records of one period: places in the heap, in arrival order. */
export interface PeriodRecords {
  readonly startMs: number;
  readonly places: Uint32Array;
}

/** Splits the records of a memtable by period of fix time, in order of first appearance. */
export function splitByPeriod({ buffer, used, count, shapes }: SealedHeap): PeriodRecords[] {
  const values = new Float64Array(buffer);
  const words = new Uint32Array(buffer);
  const lengths = Uint32Array.from(shapes, (shape) => VALUES_AT + shape.length);
  const places = new Uint32Array(count);
  const ordinals = new Uint32Array(count);
  const sizes: number[] = [];
  const ordinalByStart = new Map<number, number>();
  let lastStart = Number.NaN;
  let ordinal = 0;
  for (let at = FIRST_RECORD, row = 0; at < used; row++) {
    const startMs = periodStart(values[at + TIME_AT] as number);
    if (startMs !== lastStart) {
      ordinal = ordinalByStart.get(startMs) ?? sizes.push(0) - 1;
      ordinalByStart.set(startMs, ordinal);
      lastStart = startMs;
    }
    places[row] = at;
    ordinals[row] = ordinal;
    sizes[ordinal] = (sizes[ordinal] ?? 0) + 1;
    at += lengths[words[at * 2 + SHAPE_AT] as number] as number;
  }
  if (sizes.length === 1) return [{ startMs: lastStart, places }];
  const parts = sizes.map((size) => new Uint32Array(size));
  const filled = sizes.map(() => 0);
  for (let row = 0; row < count; row++) {
    const part = ordinals[row] as number;
    const next = filled[part] as number;
    (parts[part] as Uint32Array)[next] = places[row] as number;
    filled[part] = next + 1;
  }
  return [...ordinalByStart].map(([startMs, part]) => ({
    startMs,
    places: parts[part] as Uint32Array,
  }));
}

/**
 * Yields the records of one period sorted by key, in windows of at most a block. Sorting is a
 * counting sort by asset; times are mostly in order already.
 */
export function* sortedWindows(heap: SealedHeap, records: PeriodRecords): Generator<Points> {
  const { places, keys } = sortRecords(heap, records);
  const words = new Uint32Array(heap.buffer);
  for (let start = 0; start < places.length; ) {
    const names = new Map<string, number>();
    const seen = new Set<number>();
    let end = start;
    while (end < places.length && end - start < BLOCK_ROWS) {
      const shape = words[(places[end] as number) * 2 + SHAPE_AT] as number;
      if (!seen.has(shape)) {
        if (names.size > MAX_BLOCK_FIELDS) break;
        seen.add(shape);
        for (const name of heap.shapes[shape] ?? []) {
          if (!names.has(name)) names.set(name, names.size);
        }
      }
      end++;
    }
    yield gather(heap, places.subarray(start, end), keys.subarray(start, end), names);
    start = end;
  }
}

function sortRecords(
  heap: SealedHeap,
  { startMs, places }: PeriodRecords,
): { places: Uint32Array; keys: Float64Array } {
  const values = new Float64Array(heap.buffer);
  const words = new Uint32Array(heap.buffer);
  let maxAsset = 0;
  const assets = new Uint32Array(places.length);
  for (let row = 0; row < places.length; row++) {
    const asset = words[(places[row] as number) * 2 + ASSET_AT] as number;
    assets[row] = asset;
    if (asset > maxAsset) maxAsset = asset;
  }
  const next = new Uint32Array(maxAsset + 2);
  for (let row = 0; row < assets.length; row++) {
    const bucket = (assets[row] as number) + 1;
    next[bucket] = (next[bucket] as number) + 1;
  }
  for (let i = 1; i < next.length; i++) next[i] = (next[i] as number) + (next[i - 1] as number);
  const grouped = new Uint32Array(places.length);
  const keys = new Float64Array(places.length);
  for (let row = 0; row < places.length; row++) {
    const place = places[row] as number;
    const asset = assets[row] as number;
    const to = next[asset] as number;
    next[asset] = to + 1;
    grouped[to] = place;
    keys[to] = rowKey(asset, (values[place + TIME_AT] as number) - startMs);
  }
  const order = ascendingOrder(keys);
  if (order === undefined) return { places: grouped, keys };
  return {
    places: Uint32Array.from(order, (row) => grouped[row] as number),
    keys: Float64Array.from(order, (row) => keys[row] as number),
  };
}

function gather(
  heap: SealedHeap,
  places: Uint32Array,
  keys: Float64Array,
  names: ReadonlyMap<string, number>,
): Points {
  const values = new Float64Array(heap.buffer);
  const words = new Uint32Array(heap.buffer);
  const points = createPoints(places.length, [...names.keys()]);
  points.keys.set(keys);
  let lastShape = -1;
  let columns: readonly Float64Array[] = [];
  for (let row = 0; row < places.length; row++) {
    const at = places[row] as number;
    points.seqs[row] = values[at + SEQ_AT] as number;
    points.hashes[row] = words[at * 2 + HASH_AT] as number;
    points.projects[row] = words[at * 2 + PROJECT_AT] as number;
    const shape = words[at * 2 + SHAPE_AT] as number;
    if (shape !== lastShape) {
      columns = (heap.shapes[shape] ?? []).map(
        (name) => points.columns[names.get(name) ?? 0] as Float64Array,
      );
      lastShape = shape;
    }
    for (let i = 0; i < columns.length; i++) {
      (columns[i] as Float64Array)[row] = values[at + VALUES_AT + i] as number;
    }
  }
  return points;
}
