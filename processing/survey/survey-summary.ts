import type { VerticalDatum } from "../../domain/geometry/vertical-datum.ts";
import type { SurveyProducts, SurveyResult } from "../engine/port/engine.ts";
import type { FinishedSurvey } from "../engine/survey-engines.ts";
import type { GateFinding } from "../gates/gates.ts";
import { verticalDatum } from "../photogrammetry/products/map/height-system.ts";
import { controlText } from "../photogrammetry/reconstruction/control-text.ts";
import type { SurveyResolution } from "../photogrammetry/reconstruction/photo-pixels.ts";
import type { AdjustmentSummary } from "../photogrammetry/reconstruction/reconstruction.ts";

/** The outcome of a survey, as JSON: the result of its job, and what the command prints. */
export interface SurveySummary {
  readonly engine: SurveyResult["engine"];
  readonly images: {
    readonly read: number;
    /** `null`: the engine does not report it. */
    readonly oriented: number | null;
    /** What is wrong with each that could not be read. */
    readonly refused: readonly string[];
  };
  /** Pixels are those of the photographs; `null`: the engine does not report it. */
  readonly adjustment: Pick<
    AdjustmentSummary,
    "rmsPx" | "droppedTracks" | "scaleSigma" | "scaleFrom"
  > | null;
  /** What became of control points and check points, in words; `null`: none were given, or it is not known. */
  readonly control: string | null;
  readonly origin: SurveyResult["origin"];
  /** What heights count from. */
  readonly verticalDatum: VerticalDatum;
  /** Ground sample distances, metres; `null`: the engine does not report them. */
  readonly resolution: Pick<SurveyResolution, "photoGsdM" | "matchedGsdM"> | null;
  readonly surface: {
    readonly cellM: number;
    readonly width: number;
    readonly height: number;
    /** Cells with a height. */
    readonly knownCells: number;
  };
  /** Edge of a cell of the orthophoto, metres; `null`: there is none. */
  readonly orthophotoCellM: number | null;
  readonly findings: readonly GateFinding[];
  readonly timings: SurveyResult["timings"];
  /** Where each product is: a path, or a key of the file store. */
  readonly products: SurveyProducts;
}

export function surveySummary(result: FinishedSurvey, products: SurveyProducts): SurveySummary {
  const { engine, images, refused, reconstruction, resolution, origin, dsm } = result;
  const { ortho, findings, timings, knownCells } = result;
  const { cellM, width, height } = dsm;
  const control = reconstruction?.summary.control;
  return {
    engine,
    images: { read: images.length, oriented: reconstruction?.cameras.length ?? null, refused },
    adjustment: reconstruction === undefined ? null : figures(reconstruction.summary),
    control: control === undefined ? null : controlText(control),
    origin,
    verticalDatum: verticalDatum(result),
    resolution: resolution === undefined ? null : sampleDistances(resolution),
    surface: { cellM, width, height, knownCells },
    orthophotoCellM: ortho?.cellM ?? null,
    findings,
    timings,
    products,
  };
}

function sampleDistances({ photoGsdM, matchedGsdM }: SurveyResolution) {
  return { photoGsdM, matchedGsdM };
}

function figures({ rmsPx, droppedTracks, scaleSigma, scaleFrom }: AdjustmentSummary) {
  return { rmsPx, droppedTracks, scaleSigma, scaleFrom };
}
