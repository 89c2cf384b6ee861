import type { HeightUnit } from "../../../domain/geometry/vertical-datum.ts";
import type { GateFinding } from "../../gates/gates.ts";
import { createEnuFrame, type SurveyOrigin } from "../../geometry/enu.ts";
import type { ElevationGrid, OrthoGrid } from "../../grid/elevation-grid.ts";
import type { GivenHeights } from "../../photogrammetry/products/map/height-system.ts";
import { checkHeightUnit } from "./check-height-unit.ts";
import { checkPlace, checkReduction, checkRounding } from "./check-raster.ts";
import { cleanHeights, sampledMedian } from "./clean-heights.ts";
import { heightScale } from "./height-scale.ts";
import { heightStep } from "./height-step.ts";
import { openRaster, type Raster } from "./open-raster.ts";
import { createPixelMap } from "./pixel-map.ts";
import { middleFrame, type RasterWindow, readHeights, windowOf } from "./raster-window.ts";
import { refusedRaster } from "./refused-raster.ts";
import { statedHeights } from "./stated-heights.ts";
import type { GeodeticExtent } from "./surface-extent.ts";

/** Cells of a surface at most, 25 million: 300 MB in all. More is read at a coarser cell. */
export const MOST_CELLS = 25_000_000;
/** A given surface was made by somebody else's matching; its cells count as seen by three. */
const GIVEN_VIEWS = 3;

/** What the provider of a raster of heights states beside the file. */
export interface SurfaceChoice {
  /** What is read of it; absent: all. */
  readonly extent?: GeodeticExtent | undefined;
  /** What is read of one that has too many cells to be read as a whole; absent: all, at a coarser cell. */
  readonly largeExtent?: GeodeticExtent | undefined;
  /** In what it counts heights, where the file does not say it; absent: as it says, else metres. */
  readonly heightUnit?: HeightUnit | undefined;
}

/** A surface from a file, in the ENU frame of its middle. */
export interface GivenSurface {
  readonly origin: SurveyOrigin;
  readonly dsm: ElevationGrid;
  /** What was read of the file; `undefined`: all. */
  readonly extent: GeodeticExtent | undefined;
  /** Whether the file, or its provider, names the unit of its heights. */
  readonly isUnitStated: boolean;
  /** Edge of a pixel in the file, metres of its map. */
  readonly pixelM: number;
  /** What heights were rounded to in the file, metres; 0: not so that it matters. */
  readonly stepM: number;
  /** What its heights count from, as the file says; `undefined`: it does not. */
  readonly heightDatum: GivenHeights | undefined;
  /** Warnings about the file. */
  readonly findings: readonly GateFinding[];
}

/**
 * Reads a GeoTIFF of heights (16 bits or more of any number type, in the unit that it names; GDAL scale and
 * offset are applied) and brings it to an ENU grid of the same cell by bilinear interpolation between cells
 * that have data. Values that are not heights are left out (`cleanHeights`). Without an extent all is read,
 * at a coarser cell where that is too much.
 * @throws DomainError `IMAGE_REFUSED` for a raster of another kind.
 */
export async function readElevation(
  path: string,
  choice: SurfaceChoice = {},
): Promise<GivenSurface> {
  const raster = await openRaster(path);
  try {
    const scale = await heightScale(raster, choice.heightUnit);
    const extent = extentToRead(raster, choice);
    const window = windowOf(raster, extent);
    const { heights, columns, rows, step } = await readHeights(raster, scale, window, MOST_CELLS);
    const raw = (heightM: number) => (heightM - scale.offset) / scale.scale;
    const cellM = (raster.pixelM * window.width) / columns;
    const findings = cleanHeights({ heights, columns, rows, cellM }, scale);
    const doubts = scale.isUnitStated ? [] : checkHeightUnit({ heights, columns, rows, cellM });
    const heightM = sampledMedian(heights);
    const frame = middleFrame(raster, window, heightM);
    const map = createPixelMap(raster, window, frame, MOST_CELLS);
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
    map.forEach((cell, east, north, column, row) => {
      const [x, y] = [(column - window.left) / step, (row - window.top) / step];
      const height = bilinear(heights, columns, rows, x, y);
      if (Number.isNaN(height)) return;
      // The ellipsoid falls away from the tangent plane: 2 cm at 500 m.
      grid.elevationM[cell] = height - heightM - (east * east + north * north) / (2 * EARTH_M);
      grid.score[cell] = 1;
      grid.views[cell] = GIVEN_VIEWS;
    });
    const stepM = heightStep(heights, raw) * Math.abs(scale.scale);
    return {
      origin: frame.origin,
      dsm: grid,
      ...{ extent, isUnitStated: scale.isUnitStated },
      pixelM: raster.pixelM,
      stepM,
      heightDatum: heightDatumOf(raster),
      findings: [
        ...findings,
        ...doubts,
        ...checkRounding(stepM),
        ...checkReduction(grid.cellM, step),
        ...checkPlace(raster.system),
      ],
    };
  } finally {
    await raster.close();
  }
}

/** The part of a raster that is read; `undefined`: all. */
export function extentToRead(
  { width, height }: Pick<Raster, "width" | "height">,
  { extent, largeExtent }: SurfaceChoice,
): GeodeticExtent | undefined {
  return extent ?? (width * height > MOST_CELLS ? largeExtent : undefined);
}

/**
 * Reads a GeoTIFF orthophoto (8 bits, three or four bands) onto an ENU grid at `origin`.
 * @param extent as for heights
 * @throws DomainError `IMAGE_REFUSED` for a raster of another kind.
 */
export async function readOrtho(
  path: string,
  origin: SurveyOrigin,
  extent?: GeodeticExtent,
): Promise<OrthoGrid> {
  const raster = await openRaster(path);
  try {
    const samples = raster.image.getSamplesPerPixel();
    const bits = raster.image.getBitsPerSample(0);
    if (samples < 3 || bits !== 8) {
      throw refusedRaster(
        `has ${samples} bands of ${bits} bits; an orthophoto has three or four of 8`,
      );
    }
    const area = windowOf(raster, extent);
    const { columns, rows } = reducedSize(area);
    const bands = await raster.image.readRasters({
      samples: samples >= 4 ? [0, 1, 2, 3] : [0, 1, 2],
      window: [area.left, area.top, area.left + area.width, area.top + area.height],
      width: columns,
      height: rows,
    });
    const map = createPixelMap(raster, area, createEnuFrame(origin), MOST_CELLS);
    const rgba = new Uint8Array(map.width * map.height * 4);
    const [perColumn, perRow] = [columns / area.width, rows / area.height];
    const [red, green, blue, alpha] = bands;
    map.forEach((cell, _east, _north, column, row) => {
      const i = Math.floor((column - area.left) * perColumn);
      const j = Math.floor((row - area.top) * perRow);
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

function heightDatumOf({ image, system }: Raster): GivenHeights | undefined {
  const { name = system.vertical?.name, isEllipsoidal = false } =
    statedHeights(image.getGeoKeys()) ?? {};
  return name === undefined ? undefined : { name, isEllipsoidal };
}

/** Mean radius of curvature of WGS 84, metres; its change with latitude is 0.3 % of centimetres here. */
const EARTH_M = 6_371_000;

/** The size to read at, so that no more than {@link MOST_CELLS} come into memory. */
function reducedSize({ width, height }: RasterWindow): { columns: number; rows: number } {
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
