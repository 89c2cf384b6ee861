import type { ByteReader } from "./byte-reader.ts";
import type { ByteWriter } from "./byte-writer.ts";

/** Low bits of the tag: 0 to 9 = decimals of scaled integers, coded as differences. */
const CONSTANT = 14;
const RAW = 15;
/** Set when not every row carries the field: a bitmap of the rows that do comes first. */
const SPARSE = 0x80;

/**
 * Most decimals tried: telemetry is written as short decimals, degrees with 7. More make columns that are
 * not decimals slower to encode.
 */
const MAX_DECIMALS = 9;
const POWERS = Float64Array.from({ length: MAX_DECIMALS + 1 }, (_, decimals) => 10 ** decimals);
/** Differences of two scaled integers stay below 2^52, which `zigzag` can hold. */
const MAX_SCALED = 2 ** 51;

/**
 * Writes a column, bit-exact: every value that is read back is the same double. A value that is a
 * decimal of at most 9 places is the integer `i` for which `i / 10^places` gives the very same
 * double; differences of such integers are small for a machine that moves. Anything else is kept raw.
 */
export function writeColumn(writer: ByteWriter, values: Float64Array): void {
  const present = presentValues(values);
  const sparse = present.length < values.length;
  const constant = isConstant(present);
  const decimals = constant ? CONSTANT : commonDecimals(present);
  writer.byte(decimals | (sparse ? SPARSE : 0));
  if (sparse) writer.raw(bitmap(values));
  if (constant) writer.raw(bytesOf(present.subarray(0, 1)));
  else if (decimals === RAW) writer.raw(bytesOf(present));
  else {
    const power = POWERS[decimals] as number;
    let previous = 0;
    for (let i = 0; i < present.length; i++) {
      const scaled = Math.round((present[i] as number) * power);
      writer.zigzag(scaled - previous);
      previous = scaled;
    }
  }
}

/** Reads the first `rows` of a column that was written with `total` rows; `NaN` where absent. */
export function readColumn(reader: ByteReader, total: number, rows: number): Float64Array {
  const tag = reader.byte();
  const bits = (tag & SPARSE) === 0 ? undefined : reader.raw(Math.ceil(total / 8));
  const count = bits === undefined ? rows : countBits(bits, rows);
  const packed = readPacked(reader, tag & 0x0f, count);
  if (bits === undefined) return packed;
  const values = new Float64Array(rows).fill(Number.NaN);
  let next = 0;
  for (let row = 0; row < rows; row++) {
    if (((bits[row >> 3] as number) & (1 << (row & 7))) !== 0) {
      values[row] = packed[next++] as number;
    }
  }
  return values;
}

function readPacked(reader: ByteReader, decimals: number, count: number): Float64Array {
  const values = new Float64Array(count);
  if (count === 0) return values;
  if (decimals === RAW) {
    bytesOf(values).set(reader.raw(count * 8));
  } else if (decimals === CONSTANT) {
    bytesOf(values.subarray(0, 1)).set(reader.raw(8));
    values.fill(values[0] as number);
  } else {
    reader.runningSums(values);
    const power = POWERS[decimals] as number;
    if (decimals > 0) for (let i = 0; i < count; i++) values[i] = (values[i] as number) / power;
  }
  return values;
}

function presentValues(values: Float64Array): Float64Array {
  let absent = 0;
  for (let i = 0; i < values.length; i++) if (Number.isNaN(values[i])) absent++;
  return absent === 0 ? values : values.filter((value) => !Number.isNaN(value));
}

/** Whether all values have the same bits. */
function isConstant(values: Float64Array): boolean {
  const first = values[0] as number;
  for (let i = 1; i < values.length; i++) if (values[i] !== first) return false;
  return first !== 0 || values.every((value) => Object.is(value, first));
}

/** The fewest decimals that give back every value exactly, else `RAW`. */
function commonDecimals(values: Float64Array): number {
  let decimals = 0;
  let power = 1;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    for (;;) {
      const scaled = Math.round(value * power);
      // An integer scaled up stays exact, so earlier values allow more decimals too.
      if (scaled / power === value && Math.abs(scaled) < MAX_SCALED) break;
      if (decimals === MAX_DECIMALS) return RAW;
      power = POWERS[++decimals] as number;
    }
    if (Object.is(value, -0)) return RAW;
  }
  return withinRange(values, power) ? decimals : RAW;
}

/** More decimals, found late, may have pushed an earlier value out of range. */
function withinRange(values: Float64Array, power: number): boolean {
  for (let i = 0; i < values.length; i++) {
    if (Math.abs((values[i] as number) * power) >= MAX_SCALED) return false;
  }
  return true;
}

function bitmap(values: Float64Array): Uint8Array {
  const bits = new Uint8Array(Math.ceil(values.length / 8));
  for (let row = 0; row < values.length; row++) {
    if (!Number.isNaN(values[row])) bits[row >> 3] = (bits[row >> 3] as number) | (1 << (row & 7));
  }
  return bits;
}

function countBits(bits: Uint8Array, rows: number): number {
  let count = 0;
  for (let row = 0; row < rows; row++) {
    if (((bits[row >> 3] as number) & (1 << (row & 7))) !== 0) count++;
  }
  return count;
}

/** The bytes of doubles as the host keeps them; every platform LMDB is built for is little-endian. */
function bytesOf(values: Float64Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}
