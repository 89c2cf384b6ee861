import { lowerBound } from "../order.ts";
import { type Points, slicePoints } from "../points.ts";
import { ByteReader } from "./byte-reader.ts";
import type { ByteWriter } from "./byte-writer.ts";
import { readColumn, writeColumn } from "./column-codec.ts";
import { assetOfKey, relativeMsOfKey, rowKey } from "./period.ts";

/**
 * A block, the unit of storage: some thousand rows of one period, sorted by key.
 *
 *     version, row count, segment count
 *     segments: asset - previous asset, project, rows      (one asset under one project)
 *     per segment: first time, then differences of differences of the times
 *     sequence numbers (a part); payload hashes, 4 bytes each
 *     column count; per column: length and text of the name, values (a part)
 *
 * Integers are varints. A part is its length in bytes (uint32) and a column of `column-codec.ts`.
 */
const VERSION = 1;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Appends the rows as one block. Keys as `rowKey` makes them, ascending; columns without value are left out. */
export function writeBlock(writer: ByteWriter, points: Points): void {
  const { count, keys, seqs } = points;
  const segments = findSegments(points);
  writer.byte(VERSION);
  writer.varint(count);
  writer.varint(segments.length);
  let previousAsset = 0;
  for (const { asset, project, start, end } of segments) {
    writer.varint(asset - previousAsset);
    writer.varint(project);
    writer.varint(end - start);
    previousAsset = asset;
  }
  for (const { start, end } of segments) {
    let previous = relativeMsOfKey(keys[start] as number);
    let step = 0;
    writer.varint(previous);
    for (let row = start + 1; row < end; row++) {
      const time = relativeMsOfKey(keys[row] as number);
      writer.zigzag(time - previous - step);
      step = time - previous;
      previous = time;
    }
  }
  writePart(writer, seqs);
  writer.raw(new Uint8Array(points.hashes.buffer, points.hashes.byteOffset, count * 4));
  writeFields(writer, points);
}

function writeFields(writer: ByteWriter, points: Points): void {
  const carried = [...points.columns.keys()].filter((i) => hasValue(columnAt(points, i)));
  writer.varint(carried.length);
  for (const i of carried) {
    const name = encoder.encode(points.names[i]);
    writer.varint(name.length);
    writer.raw(name);
    writePart(writer, columnAt(points, i));
  }
}

/** A column behind its length in bytes, so that a reader can step over it. */
function writePart(writer: ByteWriter, values: Float64Array): void {
  const start = writer.position;
  writer.raw(new Uint8Array(4));
  writeColumn(writer, values);
  writer.patchUint32(start, writer.position - start - 4);
}

function columnAt(points: Points, index: number): Float64Array {
  const column = points.columns[index];
  if (column === undefined) throw new RangeError(`no column ${index}`);
  return column;
}

export function hasValue(column: Float64Array): boolean {
  for (let row = 0; row < column.length; row++) if (!Number.isNaN(column[row])) return true;
  return false;
}

interface Segment {
  readonly asset: number;
  readonly project: number;
  readonly start: number;
  readonly end: number;
}

function findSegments({ count, keys, projects }: Points): Segment[] {
  const segments: Segment[] = [];
  for (let start = 0; start < count; ) {
    const asset = assetOfKey(keys[start] as number);
    const project = projects[start] as number;
    const nextAsset = rowKey(asset + 1, 0);
    let end = start + 1;
    while (end < count && (keys[end] as number) < nextAsset && projects[end] === project) end++;
    segments.push({ asset, project, start, end });
    start = end;
  }
  return segments;
}

/** What a reader wants of a block: one asset's rows with keys in `[fromKey, toKey)`, and which fields. */
export interface BlockQuery {
  readonly asset: number;
  readonly fromKey: number;
  readonly toKey: number;
  /** Absent: all. */
  readonly fields: ReadonlySet<string> | undefined;
}

/** The rows of a block, all of them or those a query asks for; `undefined` when there are none. */
export function readBlock(bytes: Uint8Array, query?: BlockQuery): Points | undefined {
  const reader = new ByteReader(bytes);
  const version = reader.byte();
  if (version !== VERSION) throw new Error(`telemetry block of unknown version ${version}`);
  const total = reader.varint();
  const segments = readSegments(reader);
  const wanted = query && segments.filter(({ asset }) => asset === query.asset);
  const last = (wanted ?? segments).at(-1);
  if (last === undefined) return undefined;
  const keys = readKeys(reader, segments, total);
  // Columns are differences from the first row on, so they are read up to the last row asked for.
  const rows = last.end;
  const seqs = readColumn(reader.part(), total, rows);
  const hashes = new Uint32Array(total);
  new Uint8Array(hashes.buffer).set(reader.raw(total * 4));
  const projects = new Uint32Array(rows);
  for (const { project, start, end } of segments)
    if (start < rows) projects.fill(project, start, end);
  const names: string[] = [];
  const columns: Float64Array[] = [];
  for (let left = reader.varint(); left > 0; left--) {
    const name = decoder.decode(reader.raw(reader.varint()));
    const column = reader.part();
    if (query?.fields !== undefined && !query.fields.has(name)) continue;
    names.push(name);
    columns.push(readColumn(column, total, rows));
  }
  const all: Points = {
    count: rows,
    keys: keys.subarray(0, rows),
    seqs,
    hashes: hashes.subarray(0, rows),
    projects,
    names,
    columns,
  };
  if (query === undefined) return all;
  const first = wanted?.[0]?.start ?? 0;
  const start = lowerBound(all.keys, query.fromKey, first, rows);
  const end = lowerBound(all.keys, query.toKey, start, rows);
  return end > start ? slicePoints(all, start, end) : undefined;
}

function readSegments(reader: ByteReader): Segment[] {
  const segments: Segment[] = [];
  let asset = 0;
  let start = 0;
  for (let left = reader.varint(); left > 0; left--) {
    asset += reader.varint();
    const project = reader.varint();
    const end = start + reader.varint();
    segments.push({ asset, project, start, end });
    start = end;
  }
  return segments;
}

function readKeys(reader: ByteReader, segments: readonly Segment[], total: number): Float64Array {
  const keys = new Float64Array(total);
  for (const { asset, start, end } of segments) {
    let key = rowKey(asset, reader.varint());
    let step = 0;
    keys[start] = key;
    for (let row = start + 1; row < end; row++) {
      step += reader.zigzag();
      key += step;
      keys[row] = key;
    }
  }
  return keys;
}
