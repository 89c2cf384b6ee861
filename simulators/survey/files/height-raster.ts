import { writeFile } from "node:fs/promises";
import { writeArrayBuffer } from "geotiff";

/** Value of cells without a height. */
export const NO_DATA = -9_999;

/** GeoTIFF 1.0 keys: user-defined system (32767), projected (1), pixel is area (1). */
const USER_DEFINED = 32_767;
const MODEL_PROJECTED = 1;
const PIXEL_IS_AREA = 1;

type Keys = Readonly<Record<string, number>>;

/** A plane of our own; without a system the writer would call it longitude and latitude. */
export const LOCAL_KEYS: Keys = {
  GTModelTypeGeoKey: MODEL_PROJECTED,
  ProjectedCSTypeGeoKey: USER_DEFINED,
};
export const utmKeys = (epsg: number): Keys => ({
  GTModelTypeGeoKey: MODEL_PROJECTED,
  ProjectedCSTypeGeoKey: epsg,
});

/** Where a raster lies: west edge of its first column, north edge of its first row, in metres of its system. */
export interface RasterPlace {
  readonly westM: number;
  readonly northM: number;
  readonly cellM: number;
  readonly width: number;
  readonly height: number;
}

/** Writes heights (row-major, north row first) as a Float32 GeoTIFF. */
export async function writeRaster(
  path: string,
  { westM, northM, cellM, width, height }: RasterPlace,
  keys: Keys,
  cells: Float32Array,
): Promise<void> {
  const tiff = await writeArrayBuffer(cells, {
    width,
    height,
    ModelPixelScale: [cellM, cellM, 0],
    ModelTiepoint: [0, 0, 0, westM, northM, 0],
    GTRasterTypeGeoKey: PIXEL_IS_AREA,
    GDAL_NODATA: String(NO_DATA),
    ...keys,
  });
  await writeFile(path, new Uint8Array(tiff));
}
