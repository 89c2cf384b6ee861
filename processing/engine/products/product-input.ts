import type { ElevationGrid, OrthoGrid } from "../../photogrammetry/elevation-grid.ts";
import type { GateFinding } from "../../photogrammetry/gates.ts";
import { type MapGrid, mapGrid } from "../../photogrammetry/products/map-grid.ts";
import type { Reconstruction, SurveyOrigin } from "../../photogrammetry/reconstruction.ts";
import type { SurveyImage } from "../../photogrammetry/survey-image.ts";

/** What an engine found, as the product stage takes it. Grids may lie on shared memory. */
export interface ProductInput {
  /** Name for people. */
  readonly name: string;
  readonly engine: "local" | "precomputed" | "nodeodm";
  readonly images: readonly SurveyImage[];
  readonly origin: SurveyOrigin;
  /** `undefined` where the engine does not tell. */
  readonly reconstruction: Reconstruction | undefined;
  readonly dsm: ElevationGrid;
  /** Share of the surveyed cells with a height; `undefined`: no camera is known. */
  readonly coverage: number | undefined;
  readonly ortho: OrthoGrid | undefined;
  readonly findings: readonly GateFinding[];
}

/** The surface's raster in the survey's UTM zone, with cells of its own size. */
export function surfaceMap({ origin, dsm }: ProductInput): MapGrid {
  return mapGrid(origin, dsm, middleHeightM(dsm), dsm.cellM);
}

/** Cells that the median is taken of: enough for a height within centimetres. */
const SAMPLES = 10_000;

/** Median of the surface's heights, metres; 0 for a surface without any. */
export function middleHeightM({ elevationM }: ElevationGrid): number {
  const stride = Math.max(1, Math.floor(elevationM.length / SAMPLES));
  const heights: number[] = [];
  for (let i = 0; i < elevationM.length; i += stride) {
    const z = elevationM[i] ?? Number.NaN;
    if (!Number.isNaN(z)) heights.push(z);
  }
  return heights.sort((a, b) => a - b)[heights.length >> 1] ?? 0;
}
