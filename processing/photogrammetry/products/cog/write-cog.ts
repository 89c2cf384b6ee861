import type { MapFrame } from "../map/map-grid.ts";
import { directoryBytes, type TiffField, writeDirectory } from "./directory.ts";
import { pixelFields, placeFields, type RasterMetadata } from "./fields.ts";
import { halve, type Raster } from "./raster.ts";
import { encodeTiles } from "./tiles.ts";

/** Edge of a tile, pixels: one request of a map viewer fetches what it shows. 256 and 512 are common. */
const TILE_SIZE = 512;

const TILE_OFFSETS = 324;
const TILE_BYTE_COUNTS = 325;
/** Offsets are 32 bits wide; larger files would need BigTIFF. */
const MAX_BYTES = 2 ** 32 - 1;

/**
 * The promise to readers that lets them fetch with few requests, in the words of GDAL's COG driver
 * (gdal.org, "COG: file format details"): directories first, tiles row by row, each with its size
 * before it and its last four bytes again behind it.
 */
const LAYOUT = [
  "LAYOUT=IFDS_BEFORE_DATA",
  "BLOCK_ORDER=ROW_MAJOR",
  "BLOCK_LEADER=SIZE_AS_UINT4",
  "BLOCK_TRAILER=LAST_4_BYTES_REPEATED",
  // The space gives a program that spoils the layout room to write YES.
  "KNOWN_INCOMPATIBLE_EDITION=NO\n ",
].join("\n");
const GHOST = `GDAL_STRUCTURAL_METADATA_SIZE=${String(LAYOUT.length).padStart(6, "0")} bytes\n${LAYOUT}`;

/** One resolution on its way into the file. */
interface Level {
  readonly tiles: readonly Uint8Array[];
  readonly fields: readonly TiffField[];
}

/**
 * A Cloud Optimized GeoTIFF of a raster (OGC 21-026): tiled, deflate with a predictor, overviews by
 * halves down to one tile; the file lists the full resolution first and stores its tiles last. Heights
 * are float32 and come back exactly; NaN becomes the no-data value -9999. Same input, same bytes.
 * @throws RangeError when the file would not fit into 4 GB.
 */
export function writeCog(
  raster: Raster,
  frame: MapFrame,
  metadata: RasterMetadata,
  tileSize = TILE_SIZE,
): Uint8Array {
  const levels: Level[] = [];
  for (let level = raster; ; level = halve(level)) {
    const isOverview = levels.length > 0;
    levels.push({
      tiles: encodeTiles(level, tileSize),
      fields: [
        ...pixelFields(level, tileSize, isOverview),
        ...(isOverview ? [] : placeFields(frame, metadata)),
      ],
    });
    if (level.width <= tileSize && level.height <= tileSize) break;
  }
  return assemble(levels);
}

function assemble(levels: readonly Level[]): Uint8Array {
  let end = 8 + GHOST.length + (GHOST.length % 2);
  const directories = levels.map((level) => {
    const offset = end;
    // Sizes do not depend on the offsets: zeros are placeholders for them.
    end += directoryBytes(
      completeFields(
        level,
        level.tiles.map(() => 0),
      ),
    );
    return offset;
  });
  const tileOffsets = new Map<Level, number[]>();
  for (const level of levels.toReversed()) {
    const offsets = level.tiles.map((tile) => {
      const offset = end + 4;
      end = offset + tile.length + 4;
      return offset;
    });
    tileOffsets.set(level, offsets);
  }
  if (end > MAX_BYTES) throw new RangeError("raster too large for a TIFF of 32-bit offsets");

  const file = new Uint8Array(end);
  const view = new DataView(file.buffer);
  file.set(Buffer.from("II*\0", "latin1"));
  view.setUint32(4, directories[0] ?? 0, true);
  file.set(Buffer.from(GHOST, "latin1"), 8);
  for (const [i, level] of levels.entries()) {
    const offsets = tileOffsets.get(level) ?? [];
    const fields = completeFields(level, offsets);
    writeDirectory(view, directories[i] ?? 0, fields, directories[i + 1] ?? 0);
    for (const [k, tile] of level.tiles.entries()) {
      const offset = offsets[k] ?? 0;
      view.setUint32(offset - 4, tile.length, true);
      file.set(tile, offset);
      file.set(tile.subarray(-4), offset + tile.length);
    }
  }
  return file;
}

function completeFields({ tiles, fields }: Level, offsets: readonly number[]): TiffField[] {
  return [
    ...fields,
    { tag: TILE_OFFSETS, type: "long", values: offsets } as const,
    { tag: TILE_BYTE_COUNTS, type: "long", values: tiles.map(({ length }) => length) } as const,
  ].toSorted((a, b) => a.tag - b.tag);
}
