import { DomainError } from "../../../../domain/errors.ts";
import { crc32 } from "../../../disk/crc32.ts";
import { lowerBound } from "../../points/order.ts";
import { type Points, slicePoints } from "../../points/points.ts";
import { ByteReader } from "./byte-reader.ts";
import type { ByteWriter } from "./byte-writer.ts";
import { readColumn, writeColumn } from "./column-codec.ts";
import { assetOfKey, relativeMsOfKey, rowKey } from "./period.ts";

/**
 * A block, the unit of storage: some thousand rows of one period, sorted by key.
 *
 *     version 2, "PLB", length of the block, CRC-32 of all but the CRC itself
 *     row count, segment count
 *     segments: asset - previous asset, project, rows      (one asset under one project)
 *     per segment: first time, then differences of differences of the times
 *     sequence numbers (a part); payload hashes, 4 bytes each
 *     column count; per column: length and text of the name, values (a part)
 *
 * Integers are varints, but for length and CRC (uint32). A part is its length in bytes (uint32) and a
 * column of `column-codec.ts`. A block names all that it needs to be found in a file whose index is
 * damaged. Version 1 had neither mark, length nor CRC, and is still read.
 */
const VERSION = 2;
const VERSION_WITHOUT_CRC = 1;
/** What every block begins with. */
export const BLOCK_MARK = Uint8Array.of(VERSION, 0x50, 0x4c, 0x42);
const LENGTH_AT = 4;
const CRC_AT = 8;
const HEADER_BYTES = 12;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Appends the rows as one block. Keys as `rowKey` makes them, ascending; columns without value are left out. */
export function writeBlock(writer: ByteWriter, points: Points): void {
  const { count, keys, seqs } = points;
  const segments = findSegments(points);
  const start = writer.position;
  writer.raw(BLOCK_MARK);
  writer.raw(new Uint8Array(HEADER_BYTES - BLOCK_MARK.length));
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
  const length = writer.position - start;
  writer.patchUint32(start + LENGTH_AT, length);
  writer.patchUint32(start + CRC_AT, writer.crc32From(start + HEADER_BYTES, length));
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

/** Length in bytes of the intact block that begins at `offset`; `undefined` when there is none. */
export function blockLength(bytes: Uint8Array, offset: number): number | undefined {
  if (offset + HEADER_BYTES > bytes.length) return undefined;
  if (BLOCK_MARK.some((byte, i) => bytes[offset + i] !== byte)) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset + offset);
  const length = view.getUint32(LENGTH_AT, true);
  if (length < HEADER_BYTES || offset + length > bytes.length) return undefined;
  const crc = crc32(bytes, offset + HEADER_BYTES, offset + length, length);
  return crc === view.getUint32(CRC_AT, true) ? length : undefined;
}

/**
 * The rows of a block, all of them or those a query asks for; `undefined` when there are none.
 * @throws DomainError `STORE_DAMAGED` when the block is not as it was written.
 */
export function readBlock(bytes: Uint8Array, query?: BlockQuery): Points | undefined {
  const reader = new ByteReader(bytes);
  if (bytes[0] === VERSION_WITHOUT_CRC) reader.position = 1;
  else if (blockLength(bytes, 0) === bytes.length) reader.position = HEADER_BYTES;
  else throw new DomainError("STORE_DAMAGED", "a block of telemetry is damaged");
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
