/** Values of a single band, row-major. */
export type BandValues =
  | Float32Array
  | Float64Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint8Array;

/** A GeoTIFF of one band as other programs write it. */
export interface GeoTiff {
  readonly width: number;
  readonly height: number;
  /** The rows; a row that is the same object as another one is stored once. */
  readonly rows: readonly BandValues[];
  /** Codes and text by key, GeoTIFF 1.1 annex B; numbers that are not whole become doubles. */
  readonly geoKeys: Readonly<Record<number, number>>;
  /** x = a column + b row + c, y = d column + e row + f. */
  readonly affine: readonly [a: number, b: number, c: number, d: number, e: number, f: number];
  /** GDAL_NODATA. */
  readonly noData?: string;
  /** Items of GDAL_METADATA of band 0 by role. */
  readonly band?: Readonly<Record<string, string>>;
}

const ASCII = 2;
const SHORT = 3;
const LONG = 4;
const DOUBLE = 12;
const TYPE_BYTES: Readonly<Record<number, number>> = {
  [ASCII]: 1,
  [SHORT]: 2,
  [LONG]: 4,
  [DOUBLE]: 8,
};

interface Entry {
  readonly tag: number;
  readonly type: number;
  readonly values: readonly number[];
}

/** Writes little-endian strips of one row each, without compression. */
export function geoTiffBytes(tiff: GeoTiff): Buffer {
  const [first] = tiff.rows;
  if (first === undefined) throw new Error("a raster without rows");
  const rowBytes = first.byteLength;
  const stored = new Map<BandValues, number>();
  for (const row of tiff.rows) if (!stored.has(row)) stored.set(row, 8 + stored.size * rowBytes);
  const head = directory(tiff, first, rowBytes, (row) => stored.get(row) ?? 0);
  const at = 8 + stored.size * rowBytes;
  const start = Buffer.alloc(8);
  start.write("II*\0", "latin1");
  start.writeUInt32LE(at + (at % 2), 4);
  const data = [...stored.keys()].map((row) =>
    Buffer.from(row.buffer, row.byteOffset, row.byteLength),
  );
  return Buffer.concat([start, ...data, Buffer.alloc(at % 2), head(at + (at % 2))]);
}

function directory(
  { width, height, rows, geoKeys, affine, noData, band }: GeoTiff,
  first: BandValues,
  rowBytes: number,
  offsetOf: (row: BandValues) => number,
) {
  const [keys, doubles] = geoKeyEntries(geoKeys);
  const [a, b, c, d, e, f] = affine;
  const isNorthUp = b === 0 && d === 0 && e < 0;
  const entries: Entry[] = [
    { tag: 256, type: LONG, values: [width] },
    { tag: 257, type: LONG, values: [height] },
    { tag: 258, type: SHORT, values: [first.BYTES_PER_ELEMENT * 8] },
    { tag: 259, type: SHORT, values: [1] },
    { tag: 262, type: SHORT, values: [1] },
    { tag: 273, type: LONG, values: rows.map(offsetOf) },
    { tag: 277, type: SHORT, values: [1] },
    { tag: 278, type: LONG, values: [1] },
    { tag: 279, type: LONG, values: rows.map(() => rowBytes) },
    { tag: 339, type: SHORT, values: [sampleFormat(first)] },
    ...(isNorthUp
      ? [
          { tag: 33_550, type: DOUBLE, values: [a, -e, 0] },
          { tag: 33_922, type: DOUBLE, values: [0, 0, 0, c, f, 0] },
        ]
      : [{ tag: 34_264, type: DOUBLE, values: [a, b, 0, c, d, e, 0, f, 0, 0, 0, 0, 0, 0, 0, 1] }]),
    { tag: 34_735, type: SHORT, values: keys },
    ...(doubles.length === 0 ? [] : [{ tag: 34_736, type: DOUBLE, values: doubles }]),
    ...(band === undefined ? [] : [text(42_112, metadataXml(band))]),
    ...(noData === undefined ? [] : [text(42_113, noData)]),
  ];
  return (at: number): Buffer => {
    const fixed = Buffer.alloc(2 + entries.length * 12 + 4);
    const beyond: Buffer[] = [];
    let free = at + fixed.length;
    fixed.writeUInt16LE(entries.length, 0);
    for (const [i, { tag, type, values }] of entries.entries()) {
      const bytes = encoded(type, values);
      const place = 2 + i * 12;
      fixed.writeUInt16LE(tag, place);
      fixed.writeUInt16LE(type, place + 2);
      fixed.writeUInt32LE(values.length, place + 4);
      if (bytes.length <= 4) bytes.copy(fixed, place + 8);
      else {
        fixed.writeUInt32LE(free, place + 8);
        beyond.push(bytes);
        free += bytes.length;
      }
    }
    return Buffer.concat([fixed, ...beyond]);
  };
}

function encoded(type: number, values: readonly number[]): Buffer {
  const size = TYPE_BYTES[type] ?? 1;
  const bytes = Buffer.alloc(values.length * size);
  for (const [i, value] of values.entries()) {
    if (type === DOUBLE) bytes.writeDoubleLE(value, i * size);
    else bytes.writeUIntLE(value, i * size, size);
  }
  return bytes;
}

/** The directory of keys (GeoTIFF 1.1 section 7.1.2) and the doubles that it points to. */
function geoKeyEntries(geoKeys: Readonly<Record<number, number>>): readonly [number[], number[]] {
  const keys = Object.entries(geoKeys);
  const doubles: number[] = [];
  const directory = [1, 1, 1, keys.length];
  for (const [key, value] of keys) {
    // Codes are whole numbers; parameters of projections (3078 to 3095) and axes (2057 to 2061) are doubles.
    const id = Number(key);
    const isDouble = (id >= 3_078 && id <= 3_095) || (id >= 2_057 && id <= 2_061);
    if (isDouble) {
      directory.push(id, 34_736, 1, doubles.length);
      doubles.push(value);
    } else directory.push(id, 0, 1, value);
  }
  return [directory, doubles];
}

function text(tag: number, words: string): Entry {
  return { tag, type: ASCII, values: [...Buffer.from(`${words}\0`, "latin1")] };
}

function metadataXml(band: Readonly<Record<string, string>>): string {
  const items = Object.entries(band).map(
    ([role, value]) =>
      `<Item name="${role.toUpperCase()}" sample="0" role="${role}">${value}</Item>`,
  );
  return `<GDALMetadata>${items.join("")}</GDALMetadata>`;
}

function sampleFormat(values: BandValues): number {
  if (values instanceof Float32Array || values instanceof Float64Array) return 3;
  return values instanceof Int16Array || values instanceof Int32Array ? 2 : 1;
}
