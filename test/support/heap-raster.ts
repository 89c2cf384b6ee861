import { writeFile } from "node:fs/promises";
import proj4 from "proj4";
import { createEnuFrame } from "../../processing/geometry/enu.ts";
import { type BandValues, type GeoTiff, geoTiffBytes } from "./geotiff-file.ts";
import { GROUND_M, SITE } from "./heap-survey.ts";
import { seededRandom } from "./seeded-random.ts";

/** WGS 84 / UTM zone 33N, as GDAL writes its keys. */
export const UTM_33 = { 1024: 1, 1025: 1, 3072: 32_633 } as const;
const UTM_33_PROJ = "+proj=utm +zone=33 +datum=WGS84 +units=m +no_defs";

/** A raster of the heap of `heap-survey.ts`: a cone of 6 m in radius on level ground. */
export interface HeapRaster {
  readonly heightM?: number;
  readonly cellM?: number;
  /** Cells in a row and in a column. */
  readonly side?: number;
  /** PROJ text of the map, in which `cellM` counts. */
  readonly system?: string;
  readonly geoKeys?: Readonly<Record<number, number>>;
  /** Degrees that the rows are turned by. */
  readonly turnedDeg?: number;
  readonly isSouthUp?: boolean;
  /** One standard deviation of noise from cell to cell, metres. */
  readonly noiseM?: number;
  readonly seed?: number;
  /** What the file holds for a height, at a place in metres from the heap. */
  readonly value?: (heightM: number, x: number, y: number) => number;
  readonly values?: (count: number) => BandValues;
  readonly file?: Partial<Pick<GeoTiff, "noData" | "band">>;
}

/** Ellipsoidal height of the ground around the heap, metres. */
export const GROUND_HEIGHT_M: number = SITE.heightM + GROUND_M;

/** Bytes of a GeoTIFF around the heap. */
function heapRaster({
  heightM = 3.6,
  cellM = 0.25,
  side = 100,
  system = UTM_33_PROJ,
  geoKeys = UTM_33,
  turnedDeg = 0,
  isSouthUp = false,
  noiseM = 0,
  seed = 1,
  value = (z) => z,
  values = (count) => new Float32Array(count),
  file = {},
}: HeapRaster = {}): Buffer {
  const map = proj4("+proj=longlat +datum=WGS84 +no_defs", system);
  const [middleX = 0, middleY = 0] = map.forward([SITE.lonDeg, SITE.latDeg]);
  const [sin, cos] = [Math.sin((turnedDeg * Math.PI) / 180), Math.cos((turnedDeg * Math.PI) / 180)];
  const down = isSouthUp ? 1 : -1;
  const [a, d] = [cellM * cos, cellM * sin];
  const [b, e] = [-down * cellM * sin, down * cellM * cos];
  const [c, f] = [middleX - (side / 2) * (a + b), middleY - (side / 2) * (d + e)];
  const site = createEnuFrame({ ...SITE, heightM: GROUND_HEIGHT_M });
  const random = seededRandom(seed);
  const noise = () =>
    noiseM * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const rows = Array.from({ length: side }, (_, row) => {
    const line = values(side);
    for (let column = 0; column < side; column += 1) {
      const [i, j] = [column + 0.5, row + 0.5];
      const [lonDeg = 0, latDeg = 0] = map.inverse([a * i + b * j + c, d * i + e * j + f]);
      const [x, y] = site.toEnu({ lonDeg, latDeg, heightM: GROUND_HEIGHT_M });
      const z = GROUND_HEIGHT_M + heightM * Math.max(0, 1 - Math.hypot(x, y) / 6);
      line[column] = value(z + (noiseM === 0 ? 0 : noise()), x, y);
    }
    return line;
  });
  return geoTiffBytes({
    width: side,
    height: side,
    rows,
    geoKeys,
    affine: [a, b, c, d, e, f],
    ...file,
  });
}

/** Writes the raster to a path and yields it. */
export async function writeHeapRaster(path: string, raster: HeapRaster = {}): Promise<string> {
  await writeFile(path, heapRaster(raster));
  return path;
}
