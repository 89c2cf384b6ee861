import type { SurveyProducts, SurveyResult } from "../engine/engine.ts";
import type { FinishedSurvey } from "../engine/survey-engines.ts";
import { controlText } from "../photogrammetry/control-text.ts";
import type { GateFinding } from "../photogrammetry/gates.ts";
import type { AdjustmentSummary } from "../photogrammetry/reconstruction.ts";

/** What a survey came to, as JSON: the result of its job, and what the command prints. */
export interface SurveySummary {
  readonly engine: SurveyResult["engine"];
  readonly images: {
    readonly read: number;
    /** `null`: the engine does not tell. */
    readonly oriented: number | null;
    /** What is wrong with each that could not be read. */
    readonly refused: readonly string[];
  };
  /** `null`: the engine does not tell. */
  readonly adjustment: Pick<
    AdjustmentSummary,
    "rmsPx" | "droppedTracks" | "scaleSigma" | "scaleFrom"
  > | null;
  /** What became of control points and check points, in words; `null`: none were given, or nobody tells. */
  readonly control: string | null;
  readonly origin: SurveyResult["origin"];
  readonly surface: {
    readonly cellM: number;
    readonly width: number;
    readonly height: number;
    /** Cells with a height. */
    readonly knownCells: number;
  };
  readonly findings: readonly GateFinding[];
  readonly timings: SurveyResult["timings"];
  /** Where each product is: a path, or a key of the file store. */
  readonly products: SurveyProducts;
}

export function surveySummary(result: FinishedSurvey, products: SurveyProducts): SurveySummary {
  const { engine, images, refused, reconstruction, origin, dsm, findings, timings, knownCells } =
    result;
  const { cellM, width, height } = dsm;
  const control = reconstruction?.summary.control;
  return {
    engine,
    images: { read: images.length, oriented: reconstruction?.cameras.length ?? null, refused },
    adjustment: reconstruction === undefined ? null : figures(reconstruction.summary),
    control: control === undefined ? null : controlText(control),
    origin,
    surface: { cellM, width, height, knownCells },
    findings,
    timings,
    products,
  };
}

function figures({ rmsPx, droppedTracks, scaleSigma, scaleFrom }: AdjustmentSummary) {
  return { rmsPx, droppedTracks, scaleSigma, scaleFrom };
}
