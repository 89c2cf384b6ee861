import { type CellMask, grown } from "../../grid/cell-mask.ts";
import { closeGaps } from "../../grid/close-gaps.ts";
import { elevationAt } from "../../grid/elevation-at.ts";
import type { HeightField } from "../../grid/elevation-grid.ts";
import { MAD_TO_SIGMA, upperMedian } from "../../numeric/median.ts";
import { fitRobustTrend } from "../../numeric/robust-trend.ts";

/** The ground as it would be without what stands on it. */
export interface GroundAround {
  /** Of each cell of the surface, metres; NaN where nothing around it is ground. */
  readonly heightM: Float32Array;
  /** Spread of what counts as ground about it, metres. */
  readonly nmadM: number;
  /** Cells that are raised by themselves. */
  readonly standing: CellMask;
}

/**
 * Height above a smooth trend from which on something stands on the ground, and the same in spreads. Less cuts
 * into bends of the ground, more takes low heaps for ground.
 */
const STANDS_M = 0.6;
const STANDS_SPREADS = 4;
/** So far around it the ground is not used, metres: toes reach out 2 m from where they are 0.6 m high. */
const TOE_M = 2;
/**
 * Edge of the squares whose median height is the ground's, metres. Larger rounds the ground off, smaller follows
 * stones.
 */
const SQUARE_M = 1;
/** Cells that a square counts with. More leaves gaps at edges, fewer lets single cells speak. */
const MIN_CELLS = 3;

/**
 * Separates ground from what stands on it: all that rises above a robust trend of the whole surface is
 * removed with a margin, and the rest, in squares of 1 m, is interpolated over the gaps.
 * @returns `undefined` when the surface has no trend: hardly any data.
 */
export function groundAround(surface: HeightField): GroundAround | undefined {
  const { westM, northM, cellM, width, height, elevationM } = surface;
  const points: number[] = [];
  const centre = (cell: number) =>
    [
      westM + ((cell % width) + 0.5) * cellM,
      northM - (Math.floor(cell / width) + 0.5) * cellM,
    ] as const;
  // A sample of some thousands determines a trend: 4 x 4 cells share their noise anyway.
  for (let row = 0; row < height; row += 4) {
    for (let col = 0; col < width; col += 4) {
      const z = elevationM[row * width + col] ?? Number.NaN;
      if (!Number.isNaN(z)) points.push(...centre(row * width + col), z);
    }
  }
  const trend = fitRobustTrend(Float64Array.from(points), "saddle");
  if (trend === undefined) return undefined;
  const stands = Math.max(STANDS_M, STANDS_SPREADS * trend.nmadM);
  const above = elevationM.map((z, cell) => z - trend.heightAt(...centre(cell)));
  const standing: CellMask = {
    width,
    height,
    cells: Uint8Array.from(above, (h) => (h > stands ? 1 : 0)),
  };
  const avoided = grown(standing, TOE_M / cellM);
  const squares = medianSquares(surface, avoided);
  const heightOf = elevationM.map((_, cell) => elevationAt(squares, ...centre(cell)));
  const off = [...elevationM].flatMap((z, cell) => {
    const residual = Math.abs(z - (heightOf[cell] ?? Number.NaN));
    return avoided.cells[cell] === 1 || Number.isNaN(residual) ? [] : [residual];
  });
  return {
    heightM: heightOf,
    nmadM: MAD_TO_SIGMA * (upperMedian(Float64Array.from(off)) ?? 0),
    standing,
  };
}

/** Median heights of squares, without the cells to avoid; squares without any are interpolated. */
function medianSquares(surface: HeightField, avoided: CellMask): HeightField {
  const { westM, northM, cellM, width, height, elevationM } = surface;
  const columns = Math.ceil((width * cellM) / SQUARE_M);
  const rows = Math.ceil((height * cellM) / SQUARE_M);
  const heights: number[][] = Array.from({ length: columns * rows }, () => []);
  for (const [cell, z] of elevationM.entries()) {
    if (avoided.cells[cell] === 1 || Number.isNaN(z)) continue;
    const column = Math.floor((((cell % width) + 0.5) * cellM) / SQUARE_M);
    const row = Math.floor(((Math.floor(cell / width) + 0.5) * cellM) / SQUARE_M);
    heights[row * columns + column]?.push(z);
  }
  const least = Math.min(MIN_CELLS, Math.ceil((SQUARE_M / cellM) ** 2 / 2));
  const medians = Float32Array.from(heights, (all) =>
    all.length < least ? Number.NaN : (upperMedian(Float64Array.from(all)) ?? 0),
  );
  const gaps = [...medians.keys()].filter((square) => Number.isNaN(medians[square] ?? 0));
  closeGaps(medians, columns, gaps);
  return { westM, northM, cellM: SQUARE_M, width: columns, height: rows, elevationM: medians };
}
