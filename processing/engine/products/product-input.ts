import { type GeoidPatch, undulationAt } from "../../coordinates/geoid-grid.ts";
import { degreesOutside, outputSystem } from "../../coordinates/map-projection.ts";
import { type MapProjection, utmAt } from "../../coordinates/utm.ts";
import type { GateFinding } from "../../gates/gates.ts";
import type { SurveyOrigin } from "../../geometry/enu.ts";
import type { ElevationGrid, OrthoGrid } from "../../grid/elevation-grid.ts";
import { upperMedian } from "../../numeric/median.ts";
import { rounded } from "../../numeric/rounding.ts";
import type { SurveyImage } from "../../photogrammetry/camera/survey-image.ts";
import type { GivenHeights } from "../../photogrammetry/products/map/height-system.ts";
import { type MapGrid, mapGrid } from "../../photogrammetry/products/map/map-grid.ts";
import type { SurveyResolution } from "../../photogrammetry/reconstruction/photo-pixels.ts";
import type { Reconstruction } from "../../photogrammetry/reconstruction/reconstruction.ts";

/** What an engine found, as the product stage takes it. Grids may lie on shared memory. */
export interface ProductInput {
  /** Name for people. */
  readonly name: string;
  readonly engine: "local" | "precomputed" | "nodeodm";
  readonly images: readonly SurveyImage[];
  /** What is wrong with each image that could not be read, in words that name it. */
  readonly refused: readonly string[];
  readonly origin: SurveyOrigin;
  /** `undefined` where the engine does not report it. */
  readonly reconstruction: Reconstruction | undefined;
  /** `undefined` where the engine does not report it. */
  readonly resolution?: SurveyResolution;
  readonly dsm: ElevationGrid;
  /** Share of the surveyed cells with a height; `undefined`: no camera is known. */
  readonly coverage: number | undefined;
  readonly ortho: OrthoGrid | undefined;
  readonly findings: readonly GateFinding[];
  /** System of the maps as {@link OutputSystem} reads it; absent: the UTM zone. */
  readonly outputCrs?: string | undefined;
  /** What the heights of a given surface count from; absent: not known. */
  readonly heightDatum?: GivenHeights | undefined;
  /** What heights in products are reduced by; absent: they stay as they are. */
  readonly geoidPatch?: GeoidPatch | undefined;
  /** Its name. */
  readonly geoid?: string | undefined;
}

/** What exports take beside it. */
export interface ExportInput extends ProductInput {
  /** Distance of contour lines in height, metres; absent: chosen from the relief. */
  readonly contourIntervalM?: number | undefined;
}

/** Places this far outside of a system's area of use are still projected well, degrees. */
const NEAR_DEG = 1;

/** What maps of a survey are in, and a warning where what was asked for is of another part of the earth. */
export function productMap(
  outputCrs: string | undefined,
  origin: SurveyOrigin,
): { readonly projection: MapProjection; readonly findings: readonly GateFinding[] } {
  const utm = utmAt(origin);
  if (outputCrs === undefined) return { projection: utm, findings: [] };
  const { projection, area } = outputSystem(outputCrs);
  const outsideDeg = degreesOutside(area, origin);
  if (outsideDeg <= NEAR_DEG) return { projection, findings: [] };
  const finding: GateFinding = {
    gate: "OUTPUT_SYSTEM",
    severity: "warn",
    value: rounded(outsideDeg, 1),
    threshold: NEAR_DEG,
    unit: `degrees outside of the area of EPSG:${projection.epsg}`,
    advice: `The maps are in ${utm.name} instead. Ask for a coordinate system of the place, or for none.`,
    images: [],
  };
  return { projection: utm, findings: [finding] };
}

/** The surface's raster in the system of the maps, with cells of its own size or of another one. */
export function surfaceMap(
  { origin, dsm, outputCrs, geoidPatch }: ProductInput,
  cellM = dsm.cellM,
): MapGrid {
  const { projection } = productMap(outputCrs, origin);
  return mapGrid(origin, dsm, middleHeightM(dsm), cellM, projection, (lonDeg, latDeg) =>
    geoidPatch === undefined ? 0 : undulationAt(geoidPatch, lonDeg, latDeg),
  );
}

/** Height of the survey's origin as the products have it, metres. */
export function originHeightM({ origin, geoidPatch }: ProductInput): number {
  const { lonDeg, latDeg, heightM } = origin;
  return geoidPatch === undefined ? heightM : heightM - undulationAt(geoidPatch, lonDeg, latDeg);
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
  return upperMedian(heights) ?? 0;
}
