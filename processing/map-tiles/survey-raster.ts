import { GeoTIFF, type GeoTIFFImage } from "geotiff";
import { type FileBytes, sourceOf, unreadable } from "../engine/raster/file-source.ts";
import { type Raster, rasterOf } from "../engine/raster/open-raster.ts";
import { refusedRaster } from "../engine/raster/refused-raster.ts";
import { type GeodeticExtent, rasterExtent } from "../engine/raster/surface-extent.ts";

/** One resolution of a raster: blocks row by row. */
interface RasterLevel {
  readonly width: number;
  readonly height: number;
  /** Place of each block in the file, bytes. */
  readonly offsets: ArrayLike<number>;
  readonly lengths: ArrayLike<number>;
}

/** A surface or orthophoto as our writer stores it, by its head: no pixel has been read. */
export interface SurveyRaster
  extends Pick<Raster, "width" | "height" | "system" | "toPixel" | "fromPixel" | "pixelM"> {
  readonly kind: "elevation" | "colour";
  readonly extent: GeodeticExtent;
  /** Edge of a block, pixels. */
  readonly blockSize: number;
  /** Full resolution first, each half of the one before it. */
  readonly levels: readonly RasterLevel[];
  readonly noData: number | undefined;
}

/**
 * Read at once from the start of a file, bytes: all directories of a raster of some 4,000 blocks. Less costs large
 * ones more requests to the store, more is read for nothing of all others.
 */
const HEAD_BYTES = 64 * 1024;

const DEFLATE = 8;
/** Differences along a row, of bytes and of heights (TIFF 6.0 section 14, Technical Note 3). */
const PREDICTORS = { colour: 2, elevation: 3 } as const;

/**
 * Reads where a product of a survey lies and where its blocks are.
 * @throws DomainError `IMAGE_REFUSED` for a file that our writer did not make, or that is damaged; what `read` throws
 */
export async function readSurveyRaster(file: FileBytes): Promise<SurveyRaster> {
  const source = sourceOf(await withHead(file));
  try {
    const tiff = await GeoTIFF.fromSource(source);
    const raster = await rasterOf(Promise.resolve(tiff));
    const kind = raster.image.getSamplesPerPixel() === 1 ? "elevation" : "colour";
    const levels: RasterLevel[] = [];
    for (let i = 0, count = await tiff.getImageCount(); i < count; i += 1) {
      const image = await tiff.getImage(i);
      await requireOurs(image, kind, raster.image.getTileWidth());
      levels.push(await levelOf(image));
    }
    requireHalves(levels);
    const { width, height, system, toPixel, fromPixel, pixelM, noData } = raster;
    return {
      ...{ kind, width, height, system, toPixel, fromPixel, pixelM, noData, levels },
      extent: rasterExtent(raster),
      blockSize: raster.image.getTileWidth(),
    };
  } catch (error) {
    throw source.failure() ?? unreadable(error);
  }
}

/** The file with its first bytes in memory. */
async function withHead(file: FileBytes): Promise<FileBytes> {
  const head = await file.read(0, Math.min(HEAD_BYTES, file.bytes));
  return {
    bytes: file.bytes,
    read: async (offset, length) =>
      offset + length <= head.length
        ? head.subarray(offset, offset + length)
        : await file.read(offset, length),
  };
}

async function levelOf(image: GeoTIFFImage): Promise<RasterLevel> {
  const directory = image.getFileDirectory();
  const offsets = numbersOf(await directory.loadValue("TileOffsets"));
  const lengths = numbersOf(await directory.loadValue("TileByteCounts"));
  const size = image.getTileWidth();
  const [width, height] = [image.getWidth(), image.getHeight()];
  const blocks = Math.ceil(width / size) * Math.ceil(height / size);
  if (offsets.length !== blocks || lengths.length !== blocks) {
    throw refusedRaster("does not say where its blocks are");
  }
  return { width, height, offsets, lengths };
}

const numbersOf = (value: unknown): readonly number[] =>
  typeof value === "number" ? [value] : Array.from((value ?? []) as ArrayLike<number>, Number);

async function requireOurs(
  image: GeoTIFFImage,
  kind: SurveyRaster["kind"],
  blockSize: number,
): Promise<void> {
  const directory = image.getFileDirectory();
  const isOurs =
    image.isTiled &&
    image.getTileWidth() === blockSize &&
    image.getTileHeight() === blockSize &&
    image.getSamplesPerPixel() === (kind === "colour" ? 4 : 1) &&
    image.getBitsPerSample() === (kind === "colour" ? 8 : 32) &&
    (await directory.loadValue("Compression")) === DEFLATE &&
    (await directory.loadValue("Predictor")) === PREDICTORS[kind];
  if (!isOurs) throw refusedRaster("is not stored in the blocks that map tiles are drawn from");
}

function requireHalves(levels: readonly RasterLevel[]): void {
  for (const [i, { width, height }] of levels.entries()) {
    const before = levels[i - 1];
    if (before === undefined) continue;
    if (width !== Math.ceil(before.width / 2) || height !== Math.ceil(before.height / 2)) {
      throw refusedRaster("has an overview that is not half of the one before it");
    }
  }
}
