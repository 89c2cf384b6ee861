/** Side of a vector tile in its own units. */
const EXTENT = 4096;
/** Bytes of the header (PMTiles 3, section 3). */
const HEADER = 127;

const varint = (value: number): number[] =>
  value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];

/** A field of a protocol buffer: a number, or bytes with their length. */
const field = (id: number, value: number | readonly number[]): number[] =>
  typeof value === "number"
    ? [...varint(id * 8), ...varint(value)]
    : [...varint(id * 8 + 2), ...varint(value.length), ...value];

const zigzag = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value);
const bytesOf = (text: string): number[] => [...new TextEncoder().encode(text)];

/** A vector tile with one layer, of one polygon that covers it. */
function coveredTile(layer: string): readonly number[] {
  const side = zigzag(EXTENT);
  // MoveTo, three times LineTo, ClosePath (vector tile specification 2.1, section 4.3).
  const geometry = [9, 0, 0, 26, side, 0, 0, side, zigzag(-EXTENT), 0, 15].flatMap(varint);
  const feature = [...field(3, 3), ...field(4, geometry)];
  const content = [...field(1, bytesOf(layer)), ...field(2, feature)];
  return field(3, [...content, ...field(5, EXTENT), ...field(15, 2)]);
}

/** A map file of the whole world in one tile, all of it in one layer; nothing in it is compressed. */
export function smallPmtiles(layer: string, attribution: string): Buffer {
  const tile = coveredTile(layer);
  const metadata = bytesOf(JSON.stringify({ attribution }));
  // One entry: tile 0, once, its length, and its offset plus one.
  const directory = [1, 0, 1, tile.length, 1].flatMap(varint);
  const header = Buffer.alloc(HEADER);
  header.write("PMTiles");
  header.writeUInt8(3, 7);
  const parts = [directory, metadata, [], tile];
  let offset = HEADER;
  parts.forEach((part, index) => {
    header.writeBigUInt64LE(BigInt(offset), 8 + 16 * index);
    header.writeBigUInt64LE(BigInt(part.length), 16 + 16 * index);
    offset += part.length;
  });
  for (const counts of [72, 80, 88]) header.writeBigUInt64LE(1n, counts);
  // Clustered; no compression of directories and of tiles; vector tiles; zooms 0 to 0.
  header.set([1, 1, 1, 1, 0, 0], 96);
  [-180, -85, 180, 85].forEach((degrees, index) => {
    header.writeInt32LE(degrees * 1e7, 102 + 4 * index);
  });
  return Buffer.concat([header, ...parts.map((part) => Buffer.from(part))]);
}
