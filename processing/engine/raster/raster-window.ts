import type { EnuFrame } from "../../geometry/enu.ts";
import { createEnuFrame } from "../../geometry/enu.ts";
import { isBeyond } from "./clean-heights.ts";
import type { HeightScale } from "./height-scale.ts";
import type { Raster } from "./open-raster.ts";
import { refusedRaster } from "./refused-raster.ts";
import type { GeodeticExtent } from "./surface-extent.ts";

/** Pixels of a raster: columns and rows from the upper left one on. */
export interface RasterWindow {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Heights of a window. */
export interface WindowHeights {
  /** Metres, row-major; NaN = no data. */
  readonly heights: Float32Array;
  readonly columns: number;
  readonly rows: number;
  /** Pixels in a row and in a column of one height: their mean. */
  readonly step: number;
}

/** Pixels along an edge of an extent that are looked up: a straight edge there is curved on the map. */
const EDGE_POINTS = 8;
/** Pixels in a row and in a column that a window has at least where the raster has them. */
const LEAST_PIXELS = 16;
/** Pixels that are decoded at once while they are averaged: 16 million take 64 MB. */
const PIXELS_AT_ONCE = 16_000_000;

/**
 * The pixels that cover an extent, or all of them. An extent beside the raster has those at its nearest
 * edge: what is measured there is refused by its gates, which say so.
 */
export function windowOf(raster: Raster, extent: GeodeticExtent | undefined): RasterWindow {
  const { width, height } = raster;
  if (extent === undefined) return { left: 0, top: 0, width, height };
  const { westDeg, eastDeg, southDeg, northDeg } = extent;
  const columns: number[] = [];
  const rows: number[] = [];
  for (let i = 0; i <= EDGE_POINTS; i += 1) {
    const lonDeg = westDeg + ((eastDeg - westDeg) * i) / EDGE_POINTS;
    const latDeg = southDeg + ((northDeg - southDeg) * i) / EDGE_POINTS;
    for (const [lon, lat] of [
      [lonDeg, southDeg],
      [lonDeg, northDeg],
      [westDeg, latDeg],
      [eastDeg, latDeg],
    ] as const) {
      const [column, row] = raster.toPixel(...raster.system.fromGeodetic(lon, lat));
      columns.push(column);
      rows.push(row);
    }
  }
  const [left, right] = rangeWithin(columns, width);
  const [top, bottom] = rangeWithin(rows, height);
  return { left, top, width: right - left, height: bottom - top };
}

function rangeWithin(places: readonly number[], size: number): readonly [number, number] {
  const least = Math.min(LEAST_PIXELS, size);
  const first = Math.min(Math.max(0, Math.floor(Math.min(...places))), size - least);
  const last = Math.max(first + least, Math.min(size, Math.ceil(Math.max(...places))));
  return [first, last];
}

/** An ENU frame at the middle of a window. */
export function middleFrame(
  raster: Raster,
  { left, top, width, height }: RasterWindow,
  heightM: number,
): EnuFrame {
  const [x, y] = raster.fromPixel(left + width / 2, top + height / 2);
  const [lonDeg, latDeg] = raster.system.toGeodetic(x, y);
  return createEnuFrame({ latDeg, lonDeg, heightM });
}

/**
 * Reads the first band of a window as heights. Where it has more than `mostCells` pixels, squares of them
 * become the mean of those with data. A value beyond all heights becomes that of its square, so that no
 * fill is averaged into a height.
 * @throws DomainError `IMAGE_REFUSED` for a file without pixels
 */
export async function readHeights(
  raster: Raster,
  { scale, offset }: HeightScale,
  window: RasterWindow,
  mostCells: number,
): Promise<WindowHeights> {
  const { left, top, width, height } = window;
  const step = Math.max(1, Math.ceil(Math.sqrt((width * height) / mostCells)));
  const columns = Math.ceil(width / step);
  const rows = Math.ceil(height / step);
  const isNoData = noDataOf(raster);
  if (step === 1) {
    const read = await readPixels(raster, left, top, width, height);
    const heights = Float32Array.from(read, (value) =>
      isNoData(value) ? Number.NaN : value * scale + offset,
    );
    return { heights, columns, rows, step };
  }
  const heights = new Float32Array(columns * rows);
  const rowsAtOnce = Math.max(1, Math.floor(PIXELS_AT_ONCE / width / step)) * step;
  for (let from = 0; from < height; from += rowsAtOnce) {
    const count = Math.min(rowsAtOnce, height - from);
    const read = await readPixels(raster, left, top + from, width, count);
    for (let row = from / step; row * step < from + count; row += 1) {
      for (let column = 0; column < columns; column += 1) {
        let [sum, known] = [0, 0];
        let beyond: number | undefined;
        for (let r = row * step; r < Math.min((row + 1) * step, height); r += 1) {
          for (let c = column * step; c < Math.min((column + 1) * step, width); c += 1) {
            const value = read[(r - from) * width + c] ?? Number.NaN;
            if (isNoData(value)) continue;
            const height = value * scale + offset;
            if (isBeyond(height)) beyond = height;
            sum += height;
            known += 1;
          }
        }
        // 0 / 0 means no data.
        heights[row * columns + column] = beyond ?? sum / known;
      }
    }
  }
  return { heights, columns, rows, step };
}

async function readPixels(
  { image }: Raster,
  left: number,
  top: number,
  width: number,
  height: number,
): Promise<ArrayLike<number>> {
  const window = [left, top, left + width, top + height];
  const [values] = await image.readRasters({ samples: [0], window });
  if (values === undefined) throw refusedRaster("holds no pixels");
  return values as ArrayLike<number>;
}

function noDataOf({ noData }: Raster): (value: number) => boolean {
  const marker = noData ?? Number.NaN;
  const single = Math.fround(marker);
  return (value) => !Number.isFinite(value) || value === marker || value === single;
}
