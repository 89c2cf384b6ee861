import type { JobId, ProjectId, StockpileId } from "../../domain/ids.ts";
import type { StockpileMeasurement } from "../../domain/measurement.ts";
import { DEFAULT_THRESHOLDS, type Stockpile } from "../../domain/stockpile.ts";
import { measurementIdOf } from "../../processing/measurement/measurement-id.ts";

/** A stockpile that somebody declared to hold 1,000.5 m3. */
export function sampleStockpile(change: Partial<Stockpile> = {}): Stockpile {
  return {
    id: "sp_north" as StockpileId,
    project_id: "prj_1" as ProjectId,
    material: "gravel 0/32",
    location: "north yard",
    max_capacity_m3: 5_000,
    density_t_per_m3: 1.8,
    thresholds: DEFAULT_THRESHOLDS,
    footprint: undefined,
    footprint_state: "none",
    base: { method: "plane" },
    geofence_id: undefined,
    current_volume_m3: 1_000.5,
    current_sigma_m3: undefined,
    volume_basis: "declared",
    measurement_id: undefined,
    last_measured: "2026-03-01T08:00:00.000Z",
    datum: undefined,
    created_at: "2026-03-01T08:00:00.000Z",
    updated_at: "2026-03-01T08:00:00.000Z",
    ...change,
  };
}

/** What a job measured of it: 1,234.567 m3. */
export function sampleMeasurement(
  { id, project_id, current_volume_m3: previous }: Stockpile,
  jobId: JobId,
  change: Partial<StockpileMeasurement> = {},
): StockpileMeasurement {
  const folder = `stockpiles/${id}/${jobId}/1`;
  return {
    id: measurementIdOf(jobId),
    stockpile_id: id,
    project_id,
    job_id: jobId,
    measured_at: "2026-03-05T09:30:00.000Z",
    recorded_at: "2026-03-05T12:00:00.000Z",
    previous_volume_m3: previous,
    current_volume_m3: 1_234.567,
    change_m3: Number((1_234.567 - previous).toFixed(3)),
    previous_measurement_id: undefined,
    is_current: true,
    accuracy: "98.6%",
    accuracy_note: "Mostly the scale: fly with RTK.",
    sigma_m3: 8.818,
    uncertainty_95_m3: 17.284,
    uncertainty_terms: {
      ...{ scale: 8, focal: 1, base: 3, dome: 1, noise: 0.5, gaps: 0.25, alignment: 0 },
    },
    change_95_m3: undefined,
    significant: undefined,
    cut_m3: 1_236.067,
    fill_m3: 1.5,
    area_m2: 410.25,
    max_height_m: 6.125,
    coverage: 0.9975,
    interpolated: 0.01,
    base: { method: "plane", nmad_m: 0.021, from: "this_epoch" },
    footprint_state: "confirmed",
    alignment: "first",
    georeferencing: "rtk",
    gsd_cm: 2.1,
    cell_m: 0.084,
    density_t_per_m3: 1.8,
    tonnes: 2_222.221,
    images: { given: 36, oriented: 35, refused: ["7.jpg was answered with status 404"] },
    warnings: [],
    files: {
      surface: `${folder}/dsm.tif`,
      orthomosaic: `${folder}/orthomosaic.tif`,
      model3d: `${folder}/model.glb`,
      hillshade: `${folder}/hillshade.png`,
      heights: `${folder}/heights.png`,
      change: undefined,
      profile: `${folder}/profile.json`,
      surveyReport: `${folder}/report.json`,
      surveyReportHtml: `${folder}/report.html`,
      epoch: `${folder}/epoch.bin`,
    },
    ...change,
  };
}
