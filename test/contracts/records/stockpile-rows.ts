import type { JobId, MeasurementId, StockpileId } from "../../../domain/ids.ts";
import type { StockpileMeasurement } from "../../../domain/sites/measurement.ts";
import { DEFAULT_THRESHOLDS, type Stockpile } from "../../../domain/sites/stockpile.ts";
import { projectId } from "./rows.ts";

export const stockpileId = (id: string) => id as StockpileId;
export const measurementId = (id: string) => id as MeasurementId;
export const jobId = (id: string) => id as JobId;

export function stockpile(id: string, change: Partial<Stockpile> = {}): Stockpile {
  return {
    id: stockpileId(id),
    project_id: projectId("p1"),
    material: "Kies – Körnung 16/32",
    location: "Bay 3",
    max_capacity_m3: 2_500.5,
    density_t_per_m3: undefined,
    thresholds: DEFAULT_THRESHOLDS,
    footprint: undefined,
    footprint_state: "none",
    base: { method: "plane" },
    geofence_id: undefined,
    current_volume_m3: 0,
    current_sigma_m3: undefined,
    volume_basis: "declared",
    measurement_id: undefined,
    last_measured: "2026-11-20T08:00:00.000Z",
    datum: undefined,
    created_at: "2026-11-20T08:00:00.000Z",
    updated_at: "2026-11-20T08:00:00.000Z",
    ...change,
  };
}

export function measurement(
  id: string,
  change: Partial<StockpileMeasurement> = {},
): StockpileMeasurement {
  const files = "stockpiles/s1/j1";
  return {
    id: measurementId(id),
    stockpile_id: stockpileId("s1"),
    project_id: projectId("p1"),
    job_id: jobId(`job-of-${id}`),
    measured_at: "2026-11-20T10:00:00.000Z",
    recorded_at: "2026-11-20T10:05:00.000Z",
    previous_volume_m3: 100.5,
    current_volume_m3: 523.599,
    change_m3: 423.099,
    previous_measurement_id: undefined,
    is_current: true,
    accuracy: "98.6%",
    accuracy_note: "scale of the GPS",
    sigma_m3: 3.74,
    uncertainty_95_m3: 7.33,
    uncertainty_terms: { scale: 3, focal: 1, base: 1, dome: 1, noise: 1, gaps: 0, alignment: 0 },
    change_95_m3: undefined,
    significant: undefined,
    cut_m3: 524,
    fill_m3: 0.401,
    area_m2: 314.159,
    max_height_m: 5,
    coverage: 0.99,
    interpolated: 0.01,
    base: { method: "plane", nmad_m: 0.02, from: "this_epoch" },
    footprint_state: "confirmed",
    alignment: "first",
    georeferencing: "gps",
    gsd_cm: 2.1,
    cell_m: 0.1,
    density_t_per_m3: undefined,
    tonnes: undefined,
    images: { given: 36, oriented: 35, refused: ["DJI_0007.JPG is blurred\0"] },
    warnings: [],
    files: {
      surface: `${files}/surface.tif`,
      orthomosaic: undefined,
      model3d: undefined,
      hillshade: `${files}/hillshade.png`,
      heights: `${files}/heights.png`,
      change: undefined,
      profile: `${files}/profile.json`,
      surveyReport: `${files}/report.json`,
      surveyReportHtml: `${files}/report.html`,
      epoch: `${files}/epoch.bin`,
    },
    ...change,
  };
}
