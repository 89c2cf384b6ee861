import { open, readFile, stat } from "node:fs/promises";
import { extname } from "node:path";
import { fromFile } from "geotiff";
import { gridFile } from "./grid-folder.ts";
import type { Problem } from "./problem.ts";

/** Part of a geoid model: heights of the geoid above the WGS 84 ellipsoid at the nodes of a grid. */
export interface GeoidPatch {
  /** File name of the grid. */
  readonly name: string;
  /** Of the first node; longitude may be beyond 180. */
  readonly westDeg: number;
  readonly northDeg: number;
  readonly stepLonDeg: number;
  readonly stepLatDeg: number;
  readonly columns: number;
  readonly rows: number;
  /** Metres, row-major, north row first; NaN = not known. */
  readonly undulationM: Float64Array;
}

/** Part of the earth, degrees. */
export interface Region {
  readonly westDeg: number;
  readonly southDeg: number;
  readonly eastDeg: number;
  readonly northDeg: number;
}

/** Nodes of a patch at most: a survey of 10 km in a grid of 1 km has a few hundred. */
const MOST_NODES = 1_000_000;
/** Largest file of the form GTX that is read, bytes: EGM2008 at 2.5 minutes has 149 MB. */
const MOST_GTX_BYTES = 1_000_000_000;
const GTX_HEAD_BYTES = 40;
/** What GTX files hold where nothing is known (PROJ, `gtx.cpp`); it allows for rounding. */
const GTX_UNKNOWN = -88.8888;
const SAME = 1e-4;
/** GeoTIFF 1.1 section 7.1: values are at the middles of pixels' upper left corners. */
const PIXEL_IS_POINT = 2;

/** A whole grid: where its nodes lie, and how some of them are read. */
interface Nodes extends Omit<GeoidPatch, "name" | "undulationM"> {
  read(column: number, row: number, columns: number, rows: number): Promise<Float64Array>;
}

/**
 * Reads what a region needs of a geoid grid of the operator's folder: GTX (as NOAA and PROJ have it), or GeoTIFF
 * with one band of metres in longitude and latitude (as PROJ distributes them).
 * @param name of the file, in any case
 */
export async function readGeoid(name: string, region: Region): Promise<GeoidPatch | Problem> {
  const path = gridFile(name);
  if (path === undefined) return { problem: "is not in the folder of grids (GRID_DIR)" };
  try {
    return extname(name).toLowerCase() === ".gtx"
      ? await patchOf(name, await gtxNodes(path), region)
      : await withTiff(path, (nodes) => patchOf(name, nodes, region));
  } catch (error) {
    return {
      problem: `cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}

/** Height of the geoid above the ellipsoid, metres, bilinear; NaN outside of the patch. */
export function undulationAt(patch: GeoidPatch, lonDeg: number, latDeg: number): number {
  const { westDeg, northDeg, stepLonDeg, stepLatDeg, columns, rows, undulationM } = patch;
  const x = beyond(lonDeg - westDeg) / stepLonDeg;
  const y = (northDeg - latDeg) / stepLatDeg;
  const [i, j] = [
    Math.min(Math.max(0, Math.floor(x)), columns - 2),
    Math.min(Math.max(0, Math.floor(y)), rows - 2),
  ];
  const [fx, fy] = [x - i, y - j];
  if (!(fx >= -SAME && fy >= -SAME && fx <= 1 + SAME && fy <= 1 + SAME)) return Number.NaN;
  const at = (column: number, row: number) => undulationM[row * columns + column] ?? Number.NaN;
  const upper = at(i, j) * (1 - fx) + at(i + 1, j) * fx;
  const lower = at(i, j + 1) * (1 - fx) + at(i + 1, j + 1) * fx;
  return upper * (1 - fy) + lower * fy;
}

/** A difference of longitudes, 0 to 360 but for rounding below 0. */
function beyond(degrees: number): number {
  const turned = ((degrees % 360) + 360) % 360;
  return 360 - turned < SAME ? turned - 360 : turned;
}

async function patchOf(
  name: string,
  nodes: Nodes,
  { westDeg, southDeg, eastDeg, northDeg }: Region,
): Promise<GeoidPatch | Problem> {
  const { stepLonDeg, stepLatDeg } = nodes;
  const from = beyond(westDeg - nodes.westDeg);
  const left = Math.max(0, Math.floor(from / stepLonDeg + SAME));
  const right = Math.ceil((from + (eastDeg - westDeg)) / stepLonDeg - SAME);
  const top = Math.max(0, Math.floor((nodes.northDeg - northDeg) / stepLatDeg + SAME));
  const bottom = Math.ceil((nodes.northDeg - southDeg) / stepLatDeg - SAME);
  // Two nodes each way at least, also on the grid's last column or row.
  const columns = Math.max(2, right - left + 1);
  const rows = Math.max(2, bottom - top + 1);
  const [column, row] = [Math.min(left, nodes.columns - columns), Math.min(top, nodes.rows - rows)];
  const isInside =
    nodes.northDeg - northDeg > -SAME && right < nodes.columns && bottom < nodes.rows;
  if (!isInside || column < 0 || row < 0) return { problem: "does not cover the place" };
  if (columns * rows > MOST_NODES) return { problem: "has too many nodes for the place" };
  const undulationM = await nodes.read(column, row, columns, rows);
  if (undulationM.some(Number.isNaN)) return { problem: "knows nothing of the place" };
  return {
    ...{ name, stepLonDeg, stepLatDeg, columns, rows, undulationM },
    westDeg: nodes.westDeg + column * stepLonDeg,
    northDeg: nodes.northDeg - row * stepLatDeg,
  };
}

/** GTX: latitude and longitude of the south-west node, steps, rows, columns; rows from south to north; big-endian. */
async function gtxNodes(path: string): Promise<Nodes> {
  const { size } = await stat(path);
  if (size < GTX_HEAD_BYTES || size > MOST_GTX_BYTES) throw new Error("it is not a GTX file");
  const file = await open(path);
  try {
    const head = Buffer.alloc(GTX_HEAD_BYTES);
    await file.read(head, 0, GTX_HEAD_BYTES, 0);
    const [southDeg, westDeg] = [head.readDoubleBE(0), head.readDoubleBE(8)];
    const [stepLatDeg, stepLonDeg] = [head.readDoubleBE(16), head.readDoubleBE(24)];
    const [rows, columns] = [head.readInt32BE(32), head.readInt32BE(36)];
    if (size !== GTX_HEAD_BYTES + 4 * rows * columns || !(stepLatDeg > 0 && stepLonDeg > 0)) {
      throw new Error("it is not a GTX file");
    }
    return {
      ...{ westDeg, stepLonDeg, stepLatDeg, columns, rows },
      northDeg: southDeg + (rows - 1) * stepLatDeg,
      async read(column, row, wide, high) {
        const bytes = await readFile(path);
        return Float64Array.from({ length: wide * high }, (_, i) => {
          const fromSouth = rows - 1 - (row + Math.floor(i / wide));
          const node = fromSouth * columns + column + (i % wide);
          const value = bytes.readFloatBE(GTX_HEAD_BYTES + 4 * node);
          return Math.abs(value - GTX_UNKNOWN) < SAME ? Number.NaN : value;
        });
      },
    };
  } finally {
    await file.close();
  }
}

async function withTiff<T>(path: string, work: (nodes: Nodes) => Promise<T>): Promise<T> {
  const tiff = await fromFile(path);
  try {
    const image = await tiff.getImage(0);
    const keys = image.getGeoKeys();
    if (
      keys?.["GeographicTypeGeoKey"] === undefined ||
      keys["ProjectedCSTypeGeoKey"] !== undefined
    ) {
      throw new Error("it is not in longitude and latitude");
    }
    const [x, y] = image.getOrigin();
    const [stepX, stepY] = image.getResolution();
    if (x === undefined || y === undefined || !((stepX ?? 0) > 0 && (stepY ?? 0) < 0)) {
      throw new Error("it is not a raster from west to east and north to south");
    }
    const [stepLonDeg, stepLatDeg] = [stepX ?? 1, -(stepY ?? -1)];
    // getOrigin is the corner of the first pixel as the file has it: its middle, where pixels are points.
    const half = keys["GTRasterTypeGeoKey"] === PIXEL_IS_POINT ? 0 : 0.5;
    const noData = image.getGDALNoData();
    return await work({
      ...{ stepLonDeg, stepLatDeg, columns: image.getWidth(), rows: image.getHeight() },
      westDeg: x + half * stepLonDeg,
      northDeg: y - half * stepLatDeg,
      async read(column, row, columns, rows) {
        const [band] = await image.readRasters({
          samples: [0],
          window: [column, row, column + columns, row + rows],
        });
        return Float64Array.from({ length: columns * rows }, (_, i) => {
          const value = Number(band?.[i] ?? Number.NaN);
          return value === noData ? Number.NaN : value;
        });
      },
    });
  } finally {
    await tiff.close();
  }
}
