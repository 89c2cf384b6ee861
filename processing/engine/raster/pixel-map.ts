import type { EnuFrame } from "../../geometry/enu.ts";
import type { GridFrame } from "../../grid/elevation-grid.ts";
import type { Raster } from "./open-raster.ts";
import type { RasterWindow } from "./raster-window.ts";

/** Cells between two places that are computed exactly; in between the map is straight to 1e-4 px. */
const STEP = 64;

/** An ENU grid over a raster, and the pixel that lies under each of its cells. */
export interface PixelMap extends GridFrame {
  /** Calls with every cell, its middle in ENU (m), and the raster's column and row there, of all of it. */
  forEach(
    visit: (cell: number, east: number, north: number, column: number, row: number) => void,
  ): void;
}

/**
 * Lays an ENU grid over a window of a raster, with its pixel as the cell, or a larger one where that would be
 * more than `mostCells`. The turn between map north and true north is why the two never fit cell on cell.
 * Columns and rows are computed at every 64th cell and interpolated.
 */
export function createPixelMap(
  raster: Raster,
  window: RasterWindow,
  frame: EnuFrame,
  mostCells: number,
): PixelMap {
  const corners = [
    [0, 0],
    [window.width, 0],
    [0, window.height],
    [window.width, window.height],
  ].map(([column = 0, row = 0]) => {
    const [x, y] = raster.fromPixel(window.left + column, window.top + row);
    const [lonDeg, latDeg] = raster.system.toGeodetic(x, y);
    return frame.toEnu({ lonDeg, latDeg, heightM: frame.origin.heightM });
  });
  const east = corners.map(([value]) => value);
  const north = corners.map(([, value]) => value);
  const [westM, northM] = [Math.min(...east), Math.max(...north)];
  const [widthM, heightM] = [Math.max(...east) - westM, northM - Math.min(...north)];
  // On the ground, at the middle: a pixel of Web Mercator is smaller there than it says.
  const groundM = widthOnGround(raster, window, frame);
  const cellM = Math.max(groundM, Math.sqrt((widthM * heightM) / mostCells));
  const width = Math.max(1, Math.ceil(widthM / cellM - 1e-6));
  const height = Math.max(1, Math.ceil(heightM / cellM - 1e-6));

  function pixelAt(column: number, row: number): readonly [number, number] {
    const { lonDeg, latDeg } = frame.toGeodetic([
      westM + (column + 0.5) * cellM,
      northM - (row + 0.5) * cellM,
      0,
    ]);
    return raster.toPixel(...raster.system.fromGeodetic(lonDeg, latDeg));
  }

  return {
    westM,
    northM,
    cellM,
    width,
    height,
    forEach(visit) {
      for (let row0 = 0; row0 < height; row0 += STEP) {
        for (let column0 = 0; column0 < width; column0 += STEP) {
          const [c00, r00] = pixelAt(column0, row0);
          const [c10, r10] = pixelAt(column0 + STEP, row0);
          const [c01, r01] = pixelAt(column0, row0 + STEP);
          const [c11, r11] = pixelAt(column0 + STEP, row0 + STEP);
          for (let row = row0; row < Math.min(height, row0 + STEP); row += 1) {
            const v = (row - row0) / STEP;
            const northOfCell = northM - (row + 0.5) * cellM;
            for (let column = column0; column < Math.min(width, column0 + STEP); column += 1) {
              const u = (column - column0) / STEP;
              visit(
                row * width + column,
                westM + (column + 0.5) * cellM,
                northOfCell,
                (c00 * (1 - u) + c10 * u) * (1 - v) + (c01 * (1 - u) + c11 * u) * v,
                (r00 * (1 - u) + r10 * u) * (1 - v) + (r01 * (1 - u) + r11 * u) * v,
              );
            }
          }
        }
      }
    },
  };
}

/** Edge of a pixel in the window's middle, metres on the ground; the shorter of its two edges. */
function widthOnGround(
  raster: Raster,
  { left, top, width, height }: RasterWindow,
  frame: EnuFrame,
): number {
  const enu = (column: number, row: number) => {
    const [lonDeg, latDeg] = raster.system.toGeodetic(...raster.fromPixel(column, row));
    return frame.toEnu({ lonDeg, latDeg, heightM: frame.origin.heightM });
  };
  const [column, row] = [left + width / 2, top + height / 2];
  const middle = enu(column, row);
  const distance = (to: readonly number[]) =>
    Math.hypot((to[0] ?? 0) - middle[0], (to[1] ?? 0) - middle[1]);
  return Math.min(distance(enu(column + 1, row)), distance(enu(column, row + 1)));
}
