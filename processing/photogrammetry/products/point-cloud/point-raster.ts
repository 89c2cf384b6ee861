import type { GridFrame } from "../../../grid/elevation-grid.ts";
import type { MapFrame, MapGrid, MapPoint } from "../map/map-grid.ts";

/** Classes of the American Society for Photogrammetry (LAS 1.4, table 17). */
const UNCLASSIFIED = 1;
const GROUND = 2;

/** Points on a map raster: one in the middle of each cell that has a height. */
export interface PointRaster {
  readonly frame: MapFrame;
  /** Above the origin's datum, metres; NaN = no point. */
  readonly heightM: Float32Array;
  /** Red, green, blue and what is seen, four bytes a cell; `undefined`: no colours are known. */
  readonly rgba: Uint8Array | undefined;
  /** Class of each cell. */
  readonly classes: Uint8Array;
}

/** Red, green and blue of points that no orthophoto shows: a middle grey. */
export const UNSEEN = 128;

/** The class of each cell of a map raster: that of the surface's cell below its middle. */
export function classesOnMap(surface: GridFrame, isGround: Uint8Array, map: MapGrid): Uint8Array {
  const { width, height } = map.frame;
  const classes = new Uint8Array(width * height).fill(UNCLASSIFIED);
  const point: MapPoint = { x: 0, y: 0, lift: 0 };
  for (let row = 0; row < height; row += 1) {
    for (let col = 0; col < width; col += 1) {
      map.locate(col + 0.5, row + 0.5, point);
      const c = Math.floor((point.x - surface.westM) / surface.cellM);
      const r = Math.floor((surface.northM - point.y) / surface.cellM);
      if (c < 0 || r < 0 || c >= surface.width || r >= surface.height) continue;
      if (isGround[r * surface.width + c] !== 0) classes[row * width + col] = GROUND;
    }
  }
  return classes;
}
