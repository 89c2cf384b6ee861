import { resampleElevation } from "../../grid/elevation-at.ts";
import type { GridFrame, HeightField } from "../../grid/elevation-grid.ts";
import type { PlanPolygon } from "../../grid/polygon-weights.ts";

/**
 * Longer edge of a map, pixels: sharp across a printed page, some 300 kB. More makes larger files, fewer blurs in
 * print.
 */
const MAP_PX = 1_000;
/**
 * Ground shown around the footprint: a share of its longer side, and at least, metres. More makes the pile
 * smaller, less hides what stands beside it.
 */
const MARGIN_SHARE = 0.15;
const MIN_MARGIN_M = 2;

/** The plan that pictures of a pile show: its cells are the picture's pixels. North up. */
export function pileWindow(polygon: PlanPolygon): GridFrame {
  const xs = polygon.map(([x]) => x);
  const ys = polygon.map(([, y]) => y);
  const [west, east] = [Math.min(...xs), Math.max(...xs)];
  const [south, north] = [Math.min(...ys), Math.max(...ys)];
  const marginM = Math.max(MIN_MARGIN_M, MARGIN_SHARE * Math.max(east - west, north - south));
  const widthM = east - west + 2 * marginM;
  const heightM = north - south + 2 * marginM;
  const cellM = Math.max(widthM, heightM) / MAP_PX;
  return {
    westM: west - marginM,
    northM: north + marginM,
    cellM,
    width: Math.max(1, Math.round(widthM / cellM)),
    height: Math.max(1, Math.round(heightM / cellM)),
  };
}

/**
 * The cells of a grid that a window shows, with two more around; where the window has fewer pixels than
 * cells, as coarse as its pixels.
 */
export function cellsInWindow(grid: GridFrame, window: GridFrame): GridFrame {
  const { westM, northM, cellM } = window.cellM > grid.cellM ? window : grid;
  const firstCol = Math.floor((window.westM - westM) / cellM) - 2;
  const firstRow = Math.floor((northM - window.northM) / cellM) - 2;
  return {
    westM: westM + firstCol * cellM,
    northM: northM - firstRow * cellM,
    cellM,
    width: Math.ceil((window.width * window.cellM) / cellM) + 5,
    height: Math.ceil((window.height * window.cellM) / cellM) + 5,
  };
}

/** A value for each cell of a frame, from the place of its middle. */
export function fieldOf(frame: GridFrame, valueAt: (x: number, y: number) => number): HeightField {
  const { westM, northM, cellM, width, height } = frame;
  const values = new Float32Array(width * height);
  for (let row = 0; row < height; row += 1) {
    const y = northM - (row + 0.5) * cellM;
    for (let col = 0; col < width; col += 1) {
      values[row * width + col] = valueAt(westM + (col + 0.5) * cellM, y);
    }
  }
  return { westM, northM, cellM, width, height, elevationM: values };
}

/** Heights of a surface at the middles of a frame's cells; NaN = no data. */
export function heightsIn(surface: HeightField, frame: GridFrame): HeightField {
  const { westM, northM, cellM, width, height } = frame;
  return { westM, northM, cellM, width, height, elevationM: resampleElevation(surface, frame) };
}
