import type { ProjectId, SurveyId } from "../ids.ts";
import type { Capture, CaptureProducts } from "./capture.ts";
import type { StockpileMeasurement } from "./measurement.ts";
import type { Stockpile } from "./stockpile.ts";

interface Surveyed {
  readonly projectId: ProjectId;
  /** When the images were taken, ms since the Unix epoch. */
  readonly capturedMs: number;
}

/** A flight whose products are stored, with what it was flown for. */
export type SiteSurvey =
  | (Surveyed & {
      readonly kind: "stockpile_measurement";
      readonly measurement: StockpileMeasurement;
      readonly stockpile: Pick<Stockpile, "material" | "location">;
    })
  | (Surveyed & { readonly kind: "progress_capture"; readonly capture: Capture });

export type SurveyKind = SiteSurvey["kind"];

/** The record that a survey came from gives it its id. */
export function surveyIdOf(survey: SiteSurvey): SurveyId {
  const { id } = survey.kind === "progress_capture" ? survey.capture : survey.measurement;
  return id as string as SurveyId;
}

/** Keys of a survey's products in the file store. */
export interface SurveyFiles {
  /** Heights, Cloud Optimized GeoTIFF. */
  readonly surface: string;
  /** Colours, the same. */
  readonly orthomosaic: string | undefined;
  /** Quality report, JSON. */
  readonly report: string;
  /** What its volumes are computed from; `undefined`: only the surface is kept. */
  readonly basis: string | undefined;
}

/** Where the products of a survey are; `undefined`: the capture left none. */
export function surveyFilesOf(survey: SiteSurvey): SurveyFiles | undefined {
  if (survey.kind === "stockpile_measurement") {
    const { surface, orthomosaic, surveyReport: report, basis } = survey.measurement.files;
    return { surface, orthomosaic, report, basis };
  }
  const { products } = survey.capture;
  return products && filesOfCapture(products);
}

/** A capture keeps no key of its report as JSON; it lies beside the surface. */
const filesOfCapture = ({ dsm, orthomosaic, basis }: CaptureProducts): SurveyFiles => ({
  surface: dsm,
  orthomosaic,
  report: dsm.replace(/[^/]*$/, "report.json"),
  basis,
});
