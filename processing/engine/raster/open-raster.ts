import { fromFile, type GeoTIFF, type GeoTIFFImage } from "geotiff";
import type { CoordinateSystem } from "../../coordinates/coordinate-system.ts";
import { rasterSystem } from "./raster-system.ts";
import { refusedRaster as refused } from "./refused-raster.ts";

/** A georeferenced GeoTIFF, north up or not. */
export interface Raster {
  readonly image: GeoTIFFImage;
  readonly width: number;
  readonly height: number;
  readonly system: CoordinateSystem;
  /** Column and row (fractions; 0 = outer edge of the first pixel) of a place in `system`. */
  toPixel(x: number, y: number): readonly [column: number, row: number];
  /** The place of column and row. */
  fromPixel(column: number, row: number): readonly [x: number, y: number];
  /** What no-data cells hold; `undefined` where the file names none. */
  readonly noData: number | undefined;
  /** Edge of a pixel in metres on the ground, the longer one. */
  readonly pixelM: number;
  close(): Promise<void>;
}

/** Metres of one degree of latitude; enough for choosing a cell size. */
const DEG_M = 111_320;

/**
 * Opens a GeoTIFF and reads where it lies: pixel scale and tie point, or a whole transformation;
 * PixelIsPoint is brought to PixelIsArea.
 * @throws DomainError `IMAGE_REFUSED` for a file that is not a TIFF, or that is not georeferenced.
 */
export async function openRaster(path: string): Promise<Raster> {
  return await rasterOf(fromFile(path));
}

/** As `openRaster`, of a TIFF that is being opened. */
export async function rasterOf(opening: Promise<GeoTIFF>): Promise<Raster> {
  const tiff = await opening.catch((error: unknown) => {
    throw refused("is not a readable TIFF", error);
  });
  try {
    const image = await tiff.getImage(0);
    const keys = image.getGeoKeys();
    const system = rasterSystem(keys);
    // A point is the middle of its pixel: half a pixel away from the edge.
    const shift = keys?.["GTRasterTypeGeoKey"] === 2 ? 0.5 : 0;
    const [a, b, c, d, e, f] = affineOf(image);
    const determinant = a * e - b * d;
    if (!(Math.abs(determinant) > 0)) throw refused("has a transformation that cannot be inverted");
    const fromPixel = (column: number, row: number): readonly [number, number] => {
      const [i, j] = [column - shift, row - shift];
      return [a * i + b * j + c, d * i + e * j + f];
    };
    const pixelUnits = Math.max(Math.hypot(a, d), Math.hypot(b, e));
    const noData = image.getGDALNoData();
    return {
      image,
      width: image.getWidth(),
      height: image.getHeight(),
      system,
      fromPixel,
      toPixel(x, y) {
        const [dx, dy] = [x - c, y - f];
        return [(e * dx - b * dy) / determinant + shift, (a * dy - d * dx) / determinant + shift];
      },
      noData: noData === null ? undefined : noData,
      pixelM: pixelUnits * (system.unitM ?? DEG_M),
      async close() {
        await tiff.close();
      },
    };
  } catch (error) {
    await tiff.close();
    throw error;
  }
}

/** x = a column + b row + c, y = d column + e row + f. */
type Affine = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

/** ModelTransformation, or ModelPixelScale and ModelTiepoint (GeoTIFF 1.1 section 7.3). */
function affineOf(image: GeoTIFFImage): Affine {
  const directory = image.getFileDirectory();
  const matrix: unknown = directory.getValue("ModelTransformation");
  if (isNumbers(matrix, 16)) {
    const [a = 0, b = 0, , c = 0, d = 0, e = 0, , f = 0] = matrix;
    return [a, b, c, d, e, f];
  }
  const scale: unknown = directory.getValue("ModelPixelScale");
  const tie: unknown = directory.getValue("ModelTiepoint");
  if (!isNumbers(scale, 2) || !isNumbers(tie, 6)) {
    throw refused("does not say where it lies (no pixel scale and tie point)");
  }
  const [scaleX = 1, scaleY = 1] = scale;
  const [column = 0, row = 0, , x = 0, y = 0] = tie;
  return [scaleX, 0, x - column * scaleX, 0, -scaleY, y + row * scaleY];
}

function isNumbers(value: unknown, least: number): value is readonly number[] {
  if (typeof value !== "object" || value === null || !("length" in value)) return false;
  const list = Array.from(value as ArrayLike<unknown>);
  return list.length >= least && list.every((one) => typeof one === "number");
}
