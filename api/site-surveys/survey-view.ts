import type { SurveyId } from "../../domain/ids.ts";
import { isoTime } from "../../domain/iso-time.ts";
import { GEOREFERENCINGS } from "../../domain/sites/measurement.ts";
import { type SiteSurvey, surveyIdOf } from "../../domain/sites/site-survey.ts";
import type { Zooms } from "../../processing/map-tiles/plan-tile.ts";
import type { TileLayer } from "../../processing/map-tiles/tile-layers.ts";
import { createMeasurementLinks } from "../materials/measurements/measurement-links.ts";
import { createProgressLinks } from "../representations/progress-links.ts";
import { verticalDatumView } from "../schemas/vertical-datum.ts";
import { surveyExportUrls } from "../surveys/survey-exports.ts";
import type { TileLayers } from "./map-tiles.ts";
import type { SurveyFacts } from "./survey-facts.ts";
import type { ListedSurvey, Survey } from "./survey-schemas.ts";

/** Addresses of what surveys leave, as the areas that they were made for give them. */
export interface SurveyLinks {
  readonly measurement: ReturnType<typeof createMeasurementLinks>;
  readonly capture: ReturnType<typeof createProgressLinks>;
}

export const createSurveyLinks = (
  ...using: Parameters<typeof createMeasurementLinks>
): SurveyLinks => ({
  measurement: createMeasurementLinks(...using),
  capture: createProgressLinks(...using),
});

/** The key under which all tiles of a survey are signed: no file of the store has it. */
export const tilesKey = (id: SurveyId): string => `map-tiles/${id}`;

/** A survey as in lists: what its record says, what its files do, and fresh addresses of its products. */
export async function listedSurveyView(
  survey: SiteSurvey,
  { place, report }: SurveyFacts,
  links: SurveyLinks,
): Promise<ListedSurvey> {
  const record = recordView(survey);
  return {
    id: surveyIdOf(survey),
    project_id: survey.projectId,
    source: record.source,
    captured_at: isoTime(survey.capturedMs),
    recorded_at: record.recordedAt,
    bounds:
      place === undefined
        ? null
        : {
            west: place.extent.westDeg,
            south: place.extent.southDeg,
            east: place.extent.eastDeg,
            north: place.extent.northDeg,
          },
    epsg: place?.epsg ?? null,
    coordinate_system: place?.system ?? null,
    cell_m: place?.cellM ?? null,
    gsd_cm: record.gsdCm ?? report?.surface.ground_sample_distance.value ?? null,
    lowest_m: report?.surface.lowest.value ?? null,
    highest_m: report?.surface.highest.value ?? null,
    vertical_datum: record.verticalDatum,
    accuracy: {
      georeferencing:
        record.georeferencing ??
        GEOREFERENCINGS.find((one) => one === report?.adjustment.scale_from) ??
        (report === undefined ? null : "unknown"),
      scale_sigma_percent: report?.adjustment.scale_sigma.value ?? null,
      reprojection_rms_px: report?.adjustment.reprojection_rms.value ?? null,
      control_rms_m: report?.adjustment.control_rms.value ?? null,
      check_rms_m: report?.adjustment.check_rms.value ?? null,
    },
    warnings: [...record.warnings],
    findings: report?.findings ?? null,
    products: await productsView(survey, links),
  };
}

/** What the heights of a survey count from. */
export const verticalDatumOf = (survey: SiteSurvey) => recordView(survey).verticalDatum;

function recordView(survey: SiteSurvey) {
  if (survey.kind === "stockpile_measurement") {
    const { kind, stockpile, measurement } = survey;
    const { id: measurement_id, stockpile_id, recorded_at, gsd_cm, georeferencing } = measurement;
    return {
      source: { kind, stockpile_id, measurement_id, ...stockpile },
      recordedAt: recorded_at,
      gsdCm: gsd_cm,
      georeferencing,
      verticalDatum: verticalDatumView(measurement.vertical_datum),
      warnings: measurement.warnings,
    };
  }
  const { kind, capture } = survey;
  return {
    source:
      capture.purpose === "survey"
        ? { kind: capture.purpose, capture_id: capture.id }
        : { kind, capture_id: capture.id, report_id: capture.report_id ?? null },
    recordedAt: capture.completed_at ?? capture.created_at,
    gsdCm: undefined,
    georeferencing: capture.products?.georeferencing,
    verticalDatum: verticalDatumView(capture.products?.vertical_datum),
    warnings: capture.warnings,
  };
}

/** A survey with addresses of its tiles, too. */
export async function surveyView(
  survey: SiteSurvey,
  facts: SurveyFacts,
  links: SurveyLinks,
  layers: TileLayers | undefined,
): Promise<Survey> {
  const listed = await listedSurveyView(survey, facts, links);
  const signed = links.measurement.own(tilesKey(surveyIdOf(survey)));
  return { ...listed, tiles: layers === undefined ? null : tilesView(signed, layers) };
}

/** @param signed address of all tiles of the survey */
function tilesView(signed: string, { orthophoto, surface, range }: TileLayers): Survey["tiles"] {
  if (surface === undefined) return null;
  const layer = (name: TileLayer, { least, most }: Zooms) => ({
    url_template: signed.replace("?", `/${name}/{z}/{x}/{y}.webp?`),
    min_zoom: least,
    max_zoom: most,
  });
  const [low_m, high_m] = [range?.lowM ?? null, range?.highM ?? null];
  return {
    orthophoto: orthophoto === undefined ? null : layer("orthophoto", orthophoto),
    hillshade: layer("hillshade", surface),
    heights: { ...layer("heights", surface), low_m, high_m },
    terrain: { ...layer("terrain", surface), encoding: "terrarium" },
  };
}

async function productsView(survey: SiteSurvey, links: SurveyLinks): Promise<Survey["products"]> {
  if (survey.kind === "stockpile_measurement") {
    const { measurement } = survey;
    const { surface, orthomosaic, model3d, exports } = measurement.files;
    return {
      ...(await filesView(links.measurement, { surface, orthomosaic, model: model3d, exports })),
      survey_report_url: links.measurement.page(measurement, "survey-report.html"),
      survey_report_pdf_url: links.measurement.page(measurement, "survey-report.pdf"),
    };
  }
  const { id, products } = survey.capture;
  // The list has none without.
  if (products === undefined) throw new Error(`the capture ${id} has no products`);
  const { dsm, orthomosaic, model_3d, exports } = products;
  return {
    ...(await filesView(links.capture, { surface: dsm, orthomosaic, model: model_3d, exports })),
    survey_report_url: links.capture.surveyReport(id),
    survey_report_pdf_url: links.capture.surveyReportPdf(id),
  };
}

async function filesView(
  links: SurveyLinks["measurement" | "capture"],
  files: {
    readonly surface: string;
    readonly orthomosaic: string | undefined;
    readonly model: string | undefined;
    readonly exports: Parameters<typeof surveyExportUrls>[0];
  },
) {
  const optional = async (key: string | undefined) =>
    key === undefined ? null : await links.file(key);
  return {
    surface_url: links.own(files.surface),
    orthomosaic_url: await optional(files.orthomosaic),
    model_3d_url: await optional(files.model),
    exports: await surveyExportUrls(files.exports, links),
  };
}
