import type { VerticalDatum } from "../../../domain/geometry/vertical-datum.ts";
import type { CaptureProducts } from "../../../domain/sites/capture.ts";
import type { Georeferencing } from "../../../domain/sites/measurement.ts";
import type { FileStore } from "../../../storage/ports/files.ts";
import type { SurveyProducts } from "../../engine/port/engine.ts";
import { BASIS_NAME } from "../../epoch/survey-basis.ts";
import { storeWithExports } from "../../survey/store-products.ts";
import type { AnalyserInput, CaptureFindings } from "../analysis/analyser.ts";
import { attemptFolder } from "../analysis/attempt-folder.ts";
import type { AnalysedFlight } from "./analysis/analyse-flight.ts";
import { EPOCH_NAME } from "./earlier-flights.ts";
import type { FlightDatum } from "./input/flight-datum.ts";

/**
 * Stores what a flight leaves: products of the survey, the file that volumes are computed from later, the epoch for the
 * flights to come, and the map. All of it, or nothing stays.
 * @throws what `signal` fires with; DomainError `STORE_UNAVAILABLE`
 */
export async function storeFlight(
  files: FileStore,
  { job, capture }: AnalyserInput,
  made: {
    readonly products: SurveyProducts;
    readonly basis: Uint8Array;
    readonly georeferencing: Georeferencing;
    readonly verticalDatum: VerticalDatum;
    readonly flight: AnalysedFlight;
    readonly datum: FlightDatum | undefined;
  },
  signal: AbortSignal,
): Promise<Pick<CaptureFindings, "products" | "pictures" | "baselines" | "datum">> {
  const { products: survey, flight } = made;
  const { placed } = flight;
  // No flight may rest on a survey that can be deleted.
  const isKept = capture.purpose === undefined;
  const { keys, exports } = await storeWithExports(
    files,
    attemptFolder(capture.id, job),
    {
      dsm: survey.dsm,
      orthomosaic: survey.orthomosaic,
      preview: survey.orthomosaicPreview,
      model: survey.model3d,
      report: survey.reportHtml,
      reportJson: survey.reportJson,
      basis: { name: BASIS_NAME, bytes: made.basis },
      epoch: placed && isKept ? { name: EPOCH_NAME, bytes: placed.epoch } : undefined,
      map: placed && { name: "heights.png", bytes: placed.map },
    },
    survey.exports,
    signal,
  );
  const products: CaptureProducts = {
    dsm: keys.dsm,
    orthomosaic: keys.orthomosaic,
    orthomosaic_preview: keys.preview,
    preview_corners: keys.preview === undefined ? undefined : placed?.corners,
    model_3d: keys.model,
    survey_report: keys.report,
    basis: keys.basis,
    exports,
    georeferencing: made.georeferencing,
    vertical_datum: made.verticalDatum,
  };
  const epochKey = keys.epoch;
  const own = placed && epochKey !== undefined ? { ...placed.datum, epochKey } : undefined;
  return {
    products,
    pictures:
      placed === undefined || keys.map === undefined
        ? []
        : [{ title: placed.mapTitle, key: keys.map }],
    baselines: flight.baselines.map((zoneId) => ({
      zoneId,
      surface: { kind: "flight", surface_key: keys.dsm, capture_id: capture.id },
    })),
    datum: made.datum ?? own,
  };
}
