import type { ElevationGrid, GridFrame, HeightField } from "../../grid/elevation-grid.ts";
import { type PlanPolygon, polygonWeights } from "../../grid/polygon-weights.ts";
import { hillshade } from "../../pictures/hillshade.ts";
import type { BaseSurface } from "../../volume/base/base-surface.ts";
import { cellsInWindow, fieldOf, heightsIn, pileWindow } from "./pile-window.ts";

/** What pictures of a measured pile are made of; all in the frame of the stockpile's datum. */
export interface PictureInput {
  readonly grid: ElevationGrid;
  readonly base: BaseSurface;
  readonly polygon: PlanPolygon;
  /** Surface of the previous epoch. */
  readonly previous?: HeightField;
  /** 1 for each cell of `grid` whose height was interpolated for the volume, else 0. */
  readonly interpolated?: Uint8Array;
}

/** The plan of a pile, ready to be drawn; rasters are those of the window's pixels, row-major. */
export interface PilePlan {
  readonly input: PictureInput;
  readonly window: GridFrame;
  /** Cells of the grid about the window; what is reckoned is reckoned on them, and drawn between. */
  readonly cells: HeightField;
  /** Light on each pixel, 1 to 255; NaN = no data. */
  readonly shades: Float32Array;
  /** Share of each pixel inside the footprint, 0 to 1. */
  readonly inside: Float32Array;
  /** 1 where the height was interpolated. */
  readonly interpolated: Uint8Array;
}

/** Cuts out and enlarges what the pictures share. */
export function planOf(input: PictureInput): PilePlan {
  const { grid, polygon } = input;
  const window = pileWindow(polygon);
  const cells = heightsIn(grid, cellsInWindow(grid, window));
  const shades = Float32Array.from(hillshade(cells), (shade) => (shade === 0 ? Number.NaN : shade));
  return {
    input,
    window,
    cells,
    shades: heightsIn({ ...cells, elevationM: shades }, window).elevationM,
    inside: insideShares(window, polygon),
    interpolated: interpolatedPixels(input, window),
  };
}

/** A value of each cell, by the middle of the cell, drawn between the cells at each pixel; NaN = no data. */
export function drawnBetween(
  { cells, window }: PilePlan,
  valueAt: (heightM: number, x: number, y: number) => number,
): { readonly ofCells: Float32Array; readonly ofPixels: Float32Array } {
  let cell = 0;
  const field = fieldOf(cells, (x, y) => {
    const height = cells.elevationM[cell] ?? Number.NaN;
    cell += 1;
    return valueAt(height, x, y);
  });
  return { ofCells: field.elevationM, ofPixels: heightsIn(field, window).elevationM };
}

/** Share of each cell of a frame inside a polygon, 0 to 1. */
export function insideShares(frame: GridFrame, polygon: PlanPolygon): Float32Array {
  const weights = polygonWeights(frame, polygon);
  const shares = new Float32Array(frame.width * frame.height);
  for (let r = 0; r < weights.height; r += 1) {
    const row = weights.firstRow + r;
    for (let c = 0; c < weights.width; c += 1) {
      const col = weights.firstCol + c;
      if (row < 0 || col < 0 || row >= frame.height || col >= frame.width) continue;
      shares[row * frame.width + col] = weights.share[r * weights.width + c] ?? 0;
    }
  }
  return shares;
}

function interpolatedPixels({ grid, interpolated }: PictureInput, window: GridFrame): Uint8Array {
  const pixels = new Uint8Array(window.width * window.height);
  if (interpolated === undefined) return pixels;
  const flags = fieldOf(window, (x, y) => {
    const col = Math.floor((x - grid.westM) / grid.cellM);
    const row = Math.floor((grid.northM - y) / grid.cellM);
    if (col < 0 || row < 0 || col >= grid.width || row >= grid.height) return 0;
    return interpolated[row * grid.width + col] ?? 0;
  });
  return Uint8Array.from(flags.elevationM);
}
