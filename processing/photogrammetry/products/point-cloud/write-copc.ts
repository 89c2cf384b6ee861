import type { MapFrame } from "../map/map-grid.ts";
import { ArithmeticEncoder } from "./arithmetic-encoder.ts";
import { compressPoints, type LasPoint, POINT_BYTES } from "./compress-points.ts";
import { createIntegerCoder } from "./integer-coder.ts";
import { buildOctree, type Octree } from "./octree.ts";
import { type PointRaster, UNSEEN } from "./point-raster.ts";

/** Sizes by LAS 1.4 R15 and COPC 1.0 (copc.io). */
const HEADER_BYTES = 375;
const VLR_BYTES = 54;
const EVLR_BYTES = 60;
const INFO_BYTES = 160;
const ENTRY_BYTES = 32;
/** Format 7 with LASzip's bit. */
const FORMAT = 7 + 128;
/** The coordinate system is WKT. */
const IS_WKT = 16;
/** Chunks of any size, each with its own number of points. */
const VARIABLE_CHUNKS = 2 ** 32 - 1;
/** Finest step of coordinates: a millimetre. */
const STEP_M = 0.001;

/**
 * Points as a Cloud Optimized Point Cloud (COPC 1.0): LAZ 1.4 of point format 7 whose chunks are the nodes of
 * an octree. Programs that know LAZ only read it as such. Same input, same bytes.
 * @param raster metres of the map
 * @param wkt the map's coordinate system
 * @returns `undefined` when there is no point
 */
export function writeCopc(raster: PointRaster, wkt: string): Uint8Array | undefined {
  const points = { ...raster, frame: inMapUnits(raster.frame) };
  const tree = buildOctree(points);
  if (tree === undefined) return undefined;
  const { frame } = points;
  // A hundredth of a cell where cells are far below a metre, as in degrees.
  const step = Math.min(STEP_M, 10 ** Math.floor(Math.log10(frame.cellM / 100)));
  const offset = tree.corner.map((value) => Math.floor(value)) as [number, number, number];
  const ranges = { min: [0, 0, 0], max: [0, 0, 0], count: 0 };
  const read = readerOf(points, step, offset);
  const chunks = tree.nodes.map(({ cells }) => {
    if (cells.length === 0) return new Uint8Array(0);
    return compressPoints(cells.length, (i, point) => {
      read(cells[i] ?? 0, point);
      grow(ranges, point);
    });
  });
  const scale = [step, step, STEP_M] as const;
  const bounds = (ends: readonly number[]) =>
    ends.map((value, i) => value * (scale[i] ?? 1) + (offset[i] ?? 0));

  const laszip = vlr("laszip encoded", 22_204, "LASzip", laszipRecord());
  // The text ends with a zero byte.
  const system = vlr("LASF_Projection", 2_112, "Coordinate system", Buffer.from(`${wkt}\0`));
  const pointsAt = HEADER_BYTES + VLR_BYTES + INFO_BYTES + laszip.length + system.length;
  let end = pointsAt + 8;
  const offsets = chunks.map((chunk) => {
    const at = end;
    end += chunk.length;
    return at;
  });
  const tableAt = end;
  const table = chunkTable(tree, chunks);
  const hierarchyAt = tableAt + table.length;
  const entries = hierarchy(tree, chunks, offsets);
  const info = infoRecord(tree, hierarchyAt + EVLR_BYTES, entries.length);
  const start = new Uint8Array(8);
  new DataView(start.buffer).setBigInt64(0, BigInt(tableAt), true);
  return Buffer.concat([
    header({
      pointsAt,
      hierarchyAt,
      count: ranges.count,
      scale,
      offset,
      min: bounds(ranges.min),
      max: bounds(ranges.max),
    }),
    vlr("copc", 1, "COPC info", info),
    laszip,
    system,
    start,
    ...chunks,
    table,
    evlr("copc", 1_000, "EPT hierarchy", entries),
  ]);
}

/** Coordinates are written in the map's unit, which may be feet; heights in metres. */
function inMapUnits(frame: MapFrame): MapFrame {
  const { unitM, westM, northM, cellM } = frame;
  return { ...frame, westM: westM / unitM, northM: northM / unitM, cellM: cellM / unitM };
}

function readerOf(
  { frame, heightM, rgba, classes }: PointRaster,
  step: number,
  [x0, y0, z0]: readonly [number, number, number],
) {
  const { width, westM, northM, cellM } = frame;
  return (cell: number, point: LasPoint): void => {
    const col = cell % width;
    const row = (cell - col) / width;
    point.x = Math.round((westM + (col + 0.5) * cellM - x0) / step);
    point.y = Math.round((northM - (row + 0.5) * cellM - y0) / step);
    point.z = Math.round(((heightM[cell] ?? 0) - z0) / STEP_M);
    point.classification = classes[cell] ?? 0;
    const isSeen = rgba !== undefined && rgba[4 * cell + 3] !== 0;
    point.red = isSeen ? (rgba[4 * cell] ?? 0) : UNSEEN;
    point.green = isSeen ? (rgba[4 * cell + 1] ?? 0) : UNSEEN;
    point.blue = isSeen ? (rgba[4 * cell + 2] ?? 0) : UNSEEN;
  };
}

interface Ranges {
  readonly min: number[];
  readonly max: number[];
  count: number;
}

function grow(ranges: Ranges, { x, y, z }: LasPoint): void {
  growAxis(ranges, 0, x);
  growAxis(ranges, 1, y);
  growAxis(ranges, 2, z);
  ranges.count += 1;
}

function growAxis({ min, max, count }: Ranges, axis: number, value: number): void {
  if (count === 0 || value < (min[axis] ?? 0)) min[axis] = value;
  if (count === 0 || value > (max[axis] ?? 0)) max[axis] = value;
}

/** LAS 1.4 R15, table 3. */
function header(facts: {
  readonly pointsAt: number;
  readonly hierarchyAt: number;
  readonly count: number;
  readonly scale: readonly number[];
  readonly offset: readonly number[];
  readonly min: readonly number[];
  readonly max: readonly number[];
}): Uint8Array {
  const bytes = Buffer.alloc(HEADER_BYTES);
  bytes.write("LASF", 0, "latin1");
  bytes.writeUInt16LE(IS_WKT, 6);
  bytes.writeUInt8(1, 24);
  bytes.writeUInt8(4, 25);
  bytes.write("Plumbline", 26, "latin1");
  bytes.write("Plumbline", 58, "latin1");
  bytes.writeUInt16LE(HEADER_BYTES, 94);
  bytes.writeUInt32LE(facts.pointsAt, 96);
  bytes.writeUInt32LE(3, 100);
  bytes.writeUInt8(FORMAT, 104);
  bytes.writeUInt16LE(POINT_BYTES, 105);
  for (let i = 0; i < 3; i += 1) {
    bytes.writeDoubleLE(facts.scale[i] ?? 1, 131 + 8 * i);
    bytes.writeDoubleLE(facts.offset[i] ?? 0, 155 + 8 * i);
    bytes.writeDoubleLE(facts.max[i] ?? 0, 179 + 16 * i);
    bytes.writeDoubleLE(facts.min[i] ?? 0, 187 + 16 * i);
  }
  bytes.writeBigUInt64LE(BigInt(facts.hierarchyAt), 235);
  bytes.writeUInt32LE(1, 243);
  bytes.writeBigUInt64LE(BigInt(facts.count), 247);
  // All points are first returns.
  bytes.writeBigUInt64LE(BigInt(facts.count), 255);
  return bytes;
}

function vlr(user: string, record: number, about: string, data: Uint8Array): Uint8Array {
  const head = Buffer.alloc(VLR_BYTES);
  head.write(user, 2, 16, "latin1");
  head.writeUInt16LE(record, 18);
  head.writeUInt16LE(data.length, 20);
  head.write(about, 22, 32, "latin1");
  return Buffer.concat([head, data]);
}

function evlr(user: string, record: number, about: string, data: Uint8Array): Uint8Array {
  const head = Buffer.alloc(EVLR_BYTES);
  head.write(user, 2, 16, "latin1");
  head.writeUInt16LE(record, 18);
  head.writeBigUInt64LE(BigInt(data.length), 20);
  head.write(about, 28, 32, "latin1");
  return Buffer.concat([head, data]);
}

/** Layers in chunks of their own sizes, of items POINT14 and RGB14, version 3 each. */
function laszipRecord(): Uint8Array {
  const bytes = Buffer.alloc(46);
  bytes.writeUInt16LE(3, 0);
  bytes.writeUInt8(3, 4);
  bytes.writeUInt8(4, 5);
  bytes.writeUInt16LE(3, 6);
  bytes.writeUInt32LE(VARIABLE_CHUNKS, 12);
  bytes.writeBigInt64LE(-1n, 16);
  bytes.writeBigInt64LE(-1n, 24);
  bytes.writeUInt16LE(2, 32);
  for (const [i, value] of [10, 30, 3, 11, 6, 3].entries()) bytes.writeUInt16LE(value, 34 + 2 * i);
  return bytes;
}

function infoRecord(
  { corner, edge, spacing }: Octree,
  entriesAt: number,
  entriesBytes: number,
): Uint8Array {
  const bytes = Buffer.alloc(INFO_BYTES);
  for (const [i, value] of corner.entries()) bytes.writeDoubleLE(value + edge / 2, 8 * i);
  bytes.writeDoubleLE(edge / 2, 24);
  bytes.writeDoubleLE(spacing, 32);
  bytes.writeBigUInt64LE(BigInt(entriesAt), 40);
  bytes.writeBigUInt64LE(BigInt(entriesBytes), 48);
  return bytes;
}

/** One page: keys, where each chunk lies, its bytes and points. */
function hierarchy(
  { nodes }: Octree,
  chunks: readonly Uint8Array[],
  offsets: readonly number[],
): Uint8Array {
  const bytes = Buffer.alloc(ENTRY_BYTES * nodes.length);
  for (const [i, { level, key, cells }] of nodes.entries()) {
    const at = ENTRY_BYTES * i;
    for (const [k, value] of [level, ...key].entries()) bytes.writeInt32LE(value, at + 4 * k);
    const isEmpty = cells.length === 0;
    bytes.writeBigUInt64LE(isEmpty ? 0n : BigInt(offsets[i] ?? 0), at + 16);
    bytes.writeInt32LE(chunks[i]?.length ?? 0, at + 24);
    bytes.writeInt32LE(cells.length, at + 28);
  }
  return bytes;
}

/** Points and bytes of each chunk, for readers that know LAZ only. */
function chunkTable({ nodes }: Octree, chunks: readonly Uint8Array[]): Uint8Array {
  const encoder = new ArithmeticEncoder();
  const coder = createIntegerCoder(2);
  const head = Buffer.alloc(8);
  let [chunkCount, points, size] = [0, 0, 0];
  for (const [i, { cells }] of nodes.entries()) {
    const length = chunks[i]?.length ?? 0;
    if (length === 0) continue;
    coder.write(encoder, points, cells.length, 0);
    coder.write(encoder, size, length, 1);
    [chunkCount, points, size] = [chunkCount + 1, cells.length, length];
  }
  head.writeUInt32LE(chunkCount, 4);
  return Buffer.concat([head, encoder.finish()]);
}
