import type { GateFinding } from "../../../gates/gates.ts";
import type { SurveyOrigin } from "../../../geometry/enu.ts";
import type { ElevationGrid, GridFrame } from "../../../grid/elevation-grid.ts";
import type { SurveyImage } from "../../camera/survey-image.ts";
import type { SurveyResolution } from "../../reconstruction/photo-pixels.ts";
import type { Reconstruction } from "../../reconstruction/reconstruction.ts";
import type { GivenHeights } from "../map/height-system.ts";
import type { MapGrid } from "../map/map-grid.ts";

/** What a quality report is made of. */
export interface ReportInput {
  /** Name for people. */
  readonly name: string;
  readonly engine: string;
  readonly images: readonly SurveyImage[];
  /** What is wrong with each image that could not be read, in words that name it. */
  readonly refused: readonly string[];
  readonly origin: SurveyOrigin;
  /** In pixels of the photographs; `undefined` where the engine does not report it. */
  readonly reconstruction: Reconstruction | undefined;
  /** `undefined` where the engine does not report it. */
  readonly resolution?: SurveyResolution;
  readonly dsm: ElevationGrid;
  /** Share of the surveyed cells with a height (`surveyedShare`); `undefined`: no camera is known. */
  readonly coverage: number | undefined;
  /** Where the orthophoto lies; `undefined`: there is none. */
  readonly orthoFrame: GridFrame | undefined;
  /** The raster that the surface was written on. */
  readonly map: MapGrid;
  readonly findings: readonly GateFinding[];
  /** What the heights of a given surface count from; absent: not known. */
  readonly heightDatum?: GivenHeights | undefined;
  /** Geoid grid that heights of the products are reduced by; absent: none. */
  readonly geoid?: string | undefined;
  /** Height of the origin as the products have it, metres; absent: that of the survey. */
  readonly originHeightM?: number;
}
