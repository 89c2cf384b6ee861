import { DomainError } from "../../../domain/errors.ts";
import type { ElevationGrid, OrthoGrid } from "../../photogrammetry/elevation-grid.ts";
import { createEnuFrame, type EnuFrame } from "../../photogrammetry/enu.ts";
import type { SurveyOrigin } from "../../photogrammetry/reconstruction.ts";
import { openRaster, type Raster } from "./open-raster.ts";
import { createPixelMap } from "./pixel-map.ts";

/** Cells of a surface at most, 25 million: 300 MB in all. Larger rasters are read at a coarser cell. */
const MOST_CELLS = 25_000_000;
/** A given surface was made by somebody else's matching; its cells count as seen by three. */
const GIVEN_VIEWS = 3;

/** A surface from a file, in the ENU frame of its middle. */
export interface GivenSurface {
  readonly origin: SurveyOrigin;
  readonly dsm: ElevationGrid;
  /** Edge of a pixel in the file, metres. */
  readonly pixelM: number;
}

/**
 * Reads a GeoTIFF of heights (metres, any number type; GDAL scale and offset are applied) and brings it
 * to an ENU grid of the same cell by bilinear interpolation between cells that have data.
 * @throws DomainError `IMAGE_REFUSED` for a raster of another kind.
 */
export async function readElevation(path: string): Promise<GivenSurface> {
  const raster = await openRaster(path);
  try {
    const samples = raster.image.getSamplesPerPixel();
    if (samples !== 1) throw refused(`has ${samples} bands; a surface has one`);
    const { values, columns, rows } = await readBand(raster);
    const metadata = await raster.image.getGDALMetadata(0);
    const scale = numberOr(metadata?.["SCALE"], 1);
    const offset = numberOr(metadata?.["OFFSET"], 0);
    const heights = Float32Array.from(values, (value) =>
      isNoData(value, raster.noData) ? Number.NaN : value * scale + offset,
    );
    const heightM = medianOf(heights);
    if (heightM === undefined) throw refused("holds no heights at all");
    const frame = middleFrame(raster, heightM);
    const map = createPixelMap(raster, frame, MOST_CELLS);
    const cells = map.width * map.height;
    const grid = {
      westM: map.westM,
      northM: map.northM,
      cellM: map.cellM,
      width: map.width,
      height: map.height,
      elevationM: new Float32Array(cells).fill(Number.NaN),
      score: new Float32Array(cells).fill(Number.NaN),
      views: new Uint8Array(cells),
    };
    const [perColumn, perRow] = [columns / raster.width, rows / raster.height];
    map.forEach((cell, east, north, column, row) => {
      const height = bilinear(heights, columns, rows, column * perColumn, row * perRow);
      if (Number.isNaN(height)) return;
      // The ellipsoid falls away from the tangent plane: 2 cm at 500 m.
      grid.elevationM[cell] = height - heightM - (east * east + north * north) / (2 * EARTH_M);
      grid.score[cell] = 1;
      grid.views[cell] = GIVEN_VIEWS;
    });
    return { origin: frame.origin, dsm: grid, pixelM: raster.pixelM };
  } finally {
    await raster.close();
  }
}

/**
 * Reads a GeoTIFF orthophoto (8 bits, three or four bands) onto an ENU grid at `origin`.
 * @throws DomainError `IMAGE_REFUSED` for a raster of another kind.
 */
export async function readOrtho(path: string, origin: SurveyOrigin): Promise<OrthoGrid> {
  const raster = await openRaster(path);
  try {
    const samples = raster.image.getSamplesPerPixel();
    const bits = raster.image.getBitsPerSample(0);
    if (samples < 3 || bits !== 8) {
      throw refused(`has ${samples} bands of ${bits} bits; an orthophoto has three or four of 8`);
    }
    const { columns, rows } = reducedSize(raster);
    const bands = await raster.image.readRasters({
      samples: samples >= 4 ? [0, 1, 2, 3] : [0, 1, 2],
      width: columns,
      height: rows,
    });
    const map = createPixelMap(raster, createEnuFrame(origin), MOST_CELLS);
    const rgba = new Uint8Array(map.width * map.height * 4);
    const [perColumn, perRow] = [columns / raster.width, rows / raster.height];
    const [red, green, blue, alpha] = bands;
    map.forEach((cell, _east, _north, column, row) => {
      const [i, j] = [Math.floor(column * perColumn), Math.floor(row * perRow)];
      if (i < 0 || j < 0 || i >= columns || j >= rows) return;
      const pixel = j * columns + i;
      const seen = alpha === undefined ? 255 : Number(alpha[pixel] ?? 0);
      rgba[cell * 4] = Number(red?.[pixel] ?? 0);
      rgba[cell * 4 + 1] = Number(green?.[pixel] ?? 0);
      rgba[cell * 4 + 2] = Number(blue?.[pixel] ?? 0);
      rgba[cell * 4 + 3] = seen;
    });
    const { westM, northM, cellM, width, height } = map;
    return { westM, northM, cellM, width, height, rgba };
  } finally {
    await raster.close();
  }
}

/** Mean radius of curvature of WGS 84, metres; its change with latitude is 0.3 % of centimetres here. */
const EARTH_M = 6_371_000;

function middleFrame(raster: Raster, heightM: number): EnuFrame {
  const [x, y] = raster.fromPixel(raster.width / 2, raster.height / 2);
  const [lonDeg, latDeg] = raster.system.toGeodetic(x, y);
  return createEnuFrame({ latDeg, lonDeg, heightM });
}

async function readBand(raster: Raster) {
  const { columns, rows } = reducedSize(raster);
  const [values] = await raster.image.readRasters({ samples: [0], width: columns, height: rows });
  if (values === undefined) throw refused("holds no pixels");
  return { values: values as ArrayLike<number>, columns, rows };
}

/** The size to read at, so that no more than {@link MOST_CELLS} come into memory. */
function reducedSize({ width, height }: Raster): { columns: number; rows: number } {
  const step = Math.max(1, Math.sqrt((width * height) / MOST_CELLS));
  return {
    columns: Math.max(1, Math.floor(width / step)),
    rows: Math.max(1, Math.floor(height / step)),
  };
}

/** Between the middles of four cells; next to no-data the nearest cell, NaN where that has none. */
function bilinear(
  values: Float32Array,
  columns: number,
  rows: number,
  column: number,
  row: number,
): number {
  if (!(column >= 0 && row >= 0 && column < columns && row < rows)) return Number.NaN;
  const [x, y] = [column - 0.5, row - 0.5];
  const i = Math.min(Math.max(Math.floor(x), 0), columns - 2);
  const j = Math.min(Math.max(Math.floor(y), 0), rows - 2);
  const nearest = values[Math.floor(row) * columns + Math.floor(column)] ?? Number.NaN;
  if (i < 0 || j < 0) return nearest;
  const [fx, fy] = [Math.min(Math.max(x - i, 0), 1), Math.min(Math.max(y - j, 0), 1)];
  const at = j * columns + i;
  const upper = (values[at] ?? 0) * (1 - fx) + (values[at + 1] ?? 0) * fx;
  const lower = (values[at + columns] ?? 0) * (1 - fx) + (values[at + columns + 1] ?? 0) * fx;
  const between = upper * (1 - fy) + lower * fy;
  return Number.isNaN(between) ? nearest : between;
}

function isNoData(value: number, noData: number | undefined): boolean {
  return !Number.isFinite(value) || value === noData || Math.fround(noData ?? Number.NaN) === value;
}

/** Of every n-th value: good enough for the height of an origin. */
function medianOf(heights: Float32Array): number | undefined {
  const step = Math.max(1, Math.floor(heights.length / 10_000));
  const some: number[] = [];
  for (let i = 0; i < heights.length; i += step) {
    const height = heights[i] ?? Number.NaN;
    if (!Number.isNaN(height)) some.push(height);
  }
  const known =
    some.length > 0 ? some : Array.from(heights).filter((height) => !Number.isNaN(height));
  return known.sort((a, b) => a - b)[known.length >> 1];
}

function numberOr(value: unknown, fallback: number): number {
  const number = Number(value ?? fallback);
  return Number.isFinite(number) ? number : fallback;
}

function refused(problem: string): DomainError {
  return new DomainError("IMAGE_REFUSED", `the raster ${problem}`);
}
