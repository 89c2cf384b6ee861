import { createEnuFrame, type SurveyOrigin } from "../geometry/enu.ts";
import type { SurveyRaster } from "../map-tiles/survey-raster.ts";

/**
 * Meshes along an edge of a survey: positions at their corners are exact, those between are straight. Over a sixteenth
 * of a survey of 2 km a projection bends by less than a millimetre.
 */
export const MESHES = 16;

/**
 * Points at most: 300,000 make a file of 6 MB, which phones still turn smoothly. Twice as many take twice as long to
 * come and show no more at the size of a screen.
 */
const MOST_POINTS = 300_000;

/** Which cells of a surface become points, and where they lie. */
export interface PointsPlan {
  /** Index of the resolution. */
  readonly level: number;
  /** Of the frame; at the height 0. */
  readonly origin: SurveyOrigin;
  /** East, north and up at the height 0 at the corners of the meshes, row by row from the north-west; metres. */
  readonly nodes: Float64Array;
  /** Level of the orthophoto whose cells are as large, and where the surface's cells lie in it; see `PointsInput`. */
  readonly colours: { readonly level: number; readonly toColour: readonly number[] } | undefined;
}

/** Chooses the finest resolution of a surface that has no more than `mostPoints` cells, or else the coarsest. */
export function planPoints(
  surface: SurveyRaster,
  orthophoto: SurveyRaster | undefined,
  mostPoints: number = MOST_POINTS,
): PointsPlan {
  const { width, height, levels } = surface;
  const found = levels.findIndex((one) => one.width * one.height <= mostPoints);
  const level = found < 0 ? levels.length - 1 : found;
  const placeOf = (column: number, row: number) =>
    surface.system.toGeodetic(...surface.fromPixel(column, row));
  const [lonDeg, latDeg] = placeOf(width / 2, height / 2);
  const origin = { lonDeg, latDeg, heightM: 0 };
  const frame = createEnuFrame(origin);
  // Cells of an overview are twice as large, and reach beyond the last one of the level above where that is odd.
  const { width: columns = 1, height: rows = 1 } = levels[level] ?? {};
  const nodes = new Float64Array((MESHES + 1) ** 2 * 3);
  for (let j = 0, k = 0; j <= MESHES; j += 1) {
    for (let i = 0; i <= MESHES; i += 1, k += 3) {
      const [lon, lat] = placeOf(
        (i / MESHES) * columns * 2 ** level,
        (j / MESHES) * rows * 2 ** level,
      );
      nodes.set(frame.toEnu({ lonDeg: lon, latDeg: lat, heightM: 0 }), k);
    }
  }
  return { level, origin, nodes, colours: orthophoto && coloursOf(orthophoto, level, placeOf) };
}

/** The products of a survey are in one system of maps, so their cells differ by a scale and a shift. */
function coloursOf(
  orthophoto: SurveyRaster,
  level: number,
  placeOf: (column: number, row: number) => readonly [lonDeg: number, latDeg: number],
): PointsPlan["colours"] {
  const cell = 2 ** level;
  const pixelOf = (column: number, row: number) =>
    orthophoto.toPixel(...orthophoto.system.fromGeodetic(...placeOf(column * cell, row * cell)));
  const [x0, y0] = pixelOf(0, 0);
  const [x1, y1] = pixelOf(1, 0);
  const [x2, y2] = pixelOf(0, 1);
  const wide = Math.round(Math.log2(Math.max(1, Math.hypot(x1 - x0, y1 - y0))));
  const chosen = Math.min(orthophoto.levels.length - 1, wide);
  const affine = [x1 - x0, x2 - x0, x0, y1 - y0, y2 - y0, y0];
  return { level: chosen, toColour: affine.map((value) => value / 2 ** chosen) };
}
