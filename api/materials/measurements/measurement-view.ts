import type { MeasuredImage, StockpileMeasurement } from "../../../domain/sites/measurement.ts";
import { percentOf } from "../../representations/percent.ts";
import type { CsvColumns } from "../../representations/send-list.ts";
import { polygonOf } from "../../schemas/polygon.ts";
import { verticalDatumView } from "../../schemas/vertical-datum.ts";
import { surveyExportUrls } from "../../surveys/survey-exports.ts";
import type { MeasurementLinks } from "./measurement-links.ts";
import type { ListedMeasurement, Measurement } from "./measurement-schemas.ts";

/** A measurement as in lists: the contract's fields first. */
export function listedMeasurementView(
  measurement: StockpileMeasurement,
  links: MeasurementLinks,
): ListedMeasurement {
  const { change_95_m3, significant, previous_measurement_id, density_t_per_m3, tonnes } =
    measurement;
  const { net_m3, rounded_off_m3, toe_footprint } = measurement;
  const { given, oriented, refused } = measurement.images;
  return {
    stockpile_id: measurement.stockpile_id,
    previous_volume_m3: measurement.previous_volume_m3,
    current_volume_m3: measurement.current_volume_m3,
    change_m3: measurement.change_m3,
    measured_at: measurement.measured_at,
    accuracy: measurement.accuracy,
    measurement_id: measurement.id,
    project_id: measurement.project_id,
    job_id: measurement.job_id,
    recorded_at: measurement.recorded_at,
    change_basis: measurement.change_basis ?? basisBefore(measurement),
    ...(previous_measurement_id === undefined ? {} : { previous_measurement_id }),
    is_current: measurement.is_current,
    accuracy_note: measurement.accuracy_note,
    uncertainty_95_m3: measurement.uncertainty_95_m3,
    sigma_m3: measurement.sigma_m3,
    sigma_terms_m3: { ...measurement.uncertainty_terms },
    ...(change_95_m3 === undefined ? {} : { change_uncertainty_95_m3: change_95_m3 }),
    ...(significant === undefined ? {} : { significant }),
    cut_m3: measurement.cut_m3,
    fill_m3: measurement.fill_m3,
    ...(net_m3 === undefined ? {} : { net_m3 }),
    ...(rounded_off_m3 === undefined ? {} : { rounded_off_m3 }),
    ...(toe_footprint === undefined ? {} : { toe_footprint: polygonOf(toe_footprint) }),
    area_m2: measurement.area_m2,
    max_height_m: measurement.max_height_m,
    coverage_percent: percentOf(measurement.coverage),
    interpolated_percent: percentOf(measurement.interpolated),
    base: measurement.base,
    footprint_status: measurement.footprint_state,
    georeferencing: measurement.georeferencing,
    vertical_datum: verticalDatumView(measurement.vertical_datum),
    alignment: measurement.alignment,
    gsd_cm: measurement.gsd_cm,
    cell_m: measurement.cell_m,
    ...(density_t_per_m3 === undefined ? {} : { density_t_per_m3 }),
    ...(tonnes === undefined ? {} : { tonnes }),
    images: {
      given,
      ...(oriented === undefined ? {} : { oriented }),
      refused: [...refused],
    },
    warnings: [...measurement.warnings],
    report_url: links.page(measurement, "report.html"),
    profile_url: links.page(measurement, "profile.svg"),
  };
}

/** What a measurement of before its basis was kept counts its change from. */
const basisBefore = ({ previous_measurement_id: id }: StockpileMeasurement) =>
  id === undefined ? "declared" : "measured";

/** A measurement with fresh addresses of its files. */
export async function measurementView(
  measurement: StockpileMeasurement,
  links: MeasurementLinks,
): Promise<Measurement> {
  const { surface, orthomosaic, model3d, hillshade, heights, change } = measurement.files;
  const optional = async <K extends string>(name: K, key: string | undefined) =>
    key === undefined ? {} : ({ [name]: await links.file(key) } as Record<K, string>);
  const { image_uses: uses, recorded_at } = measurement;
  const imageView = ({ name, use, reason, stored_key }: MeasuredImage) => ({
    name,
    use,
    reason: reason ?? null,
    signed_url: links.uploadedImage(stored_key, recorded_at),
  });
  return {
    ...listedMeasurementView(measurement, links),
    ...(uses === undefined ? {} : { image_uses: uses.map(imageView) }),
    surface_url: links.own(surface),
    ...(await optional("orthomosaic_url", orthomosaic)),
    ...(await optional("model_3d_url", model3d)),
    hillshade_url: await links.file(hillshade),
    heights_url: await links.file(heights),
    ...(await optional("change_url", change)),
    survey_report_url: links.page(measurement, "survey-report.html"),
    survey_report_pdf_url: links.page(measurement, "survey-report.pdf"),
    exports: await surveyExportUrls(measurement.files.exports, links),
  };
}

/** Columns of measurements as CSV. */
export const MEASUREMENT_COLUMNS: CsvColumns<ListedMeasurement> = {
  stockpile_id: (one) => one.stockpile_id,
  previous_volume_m3: (one) => one.previous_volume_m3,
  current_volume_m3: (one) => one.current_volume_m3,
  change_m3: (one) => one.change_m3,
  measured_at: (one) => one.measured_at,
  accuracy: (one) => one.accuracy,
  measurement_id: (one) => one.measurement_id,
  is_current: (one) => one.is_current,
  change_basis: (one) => one.change_basis,
  uncertainty_95_m3: (one) => one.uncertainty_95_m3,
  change_uncertainty_95_m3: (one) => one.change_uncertainty_95_m3,
  significant: (one) => one.significant,
  cut_m3: (one) => one.cut_m3,
  fill_m3: (one) => one.fill_m3,
  net_m3: (one) => one.net_m3,
  rounded_off_m3: (one) => one.rounded_off_m3,
  area_m2: (one) => one.area_m2,
  max_height_m: (one) => one.max_height_m,
  coverage_percent: (one) => one.coverage_percent,
  interpolated_percent: (one) => one.interpolated_percent,
  base_method: (one) => one.base.method,
  georeferencing: (one) => one.georeferencing,
  vertical_datum: (one) => one.vertical_datum.kind,
  alignment: (one) => one.alignment,
  gsd_cm: (one) => one.gsd_cm,
  tonnes: (one) => one.tonnes,
  images_given: (one) => one.images.given,
  images_oriented: (one) => one.images.oriented,
  recorded_at: (one) => one.recorded_at,
};
