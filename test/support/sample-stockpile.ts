import type { JobId, ProjectId, StockpileId } from "../../domain/ids.ts";
import type { StockpileMeasurement } from "../../domain/sites/measurement.ts";
import { DEFAULT_THRESHOLDS, type Stockpile } from "../../domain/sites/stockpile.ts";
import { measurementIdOf } from "../../processing/measurement/measurement-id.ts";
import type { SurfaceFigures } from "../../processing/measurement/surface/measure-volume.ts";

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
    net_m3: 1_234.567,
    area_m2: 410.25,
    max_height_m: 6.125,
    coverage: 0.9975,
    interpolated: 0.01,
    base: { method: "plane", nmad_m: 0.021, from: "this_epoch" },
    footprint_state: "confirmed",
    alignment: "first",
    georeferencing: "rtk",
    vertical_datum: { kind: "ellipsoidal", name: "above the WGS 84 ellipsoid" },
    gsd_cm: 2.1,
    cell_m: 0.084,
    density_t_per_m3: 1.8,
    tonnes: 2_222.221,
    images: { given: 36, oriented: 35, refused: ["7.jpg was answered with status 404"] },
    image_uses: [
      { name: "1.jpg", use: "used", reason: undefined },
      { name: "7.jpg", use: "unreadable", reason: "7.jpg was answered with status 404" },
    ],
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
      basis: `${folder}/basis.bin`,
    },
    ...change,
  };
}

/** What a surface says of it: cut 1.75 m3 more than `netM3` at most. */
export function sampleFigures({
  netM3 = 1_234.567,
  sigmaM3 = 8.818,
  isProposed = false,
  roundedOffM3 = 0,
} = {}): SurfaceFigures {
  const terms = { scale: 0, focal: 0, base: 0, dome: 0, noise: sigmaM3, gaps: 0, alignment: 0 };
  const fillM3 = 1.75;
  const id = measurementIdOf("job_datum" as JobId);
  return {
    datum: {
      version: 1,
      id,
      origin: { latDeg: 52.52, lonDeg: 13.405, heightM: 80 },
      grid: { westM: -30, northM: 30, cellM: 0.1, width: 600, height: 600 },
      base: { kind: "plane", a: 0, b: 0, c: -38, nmadM: 0.02 },
      georeferencing: "rtk",
      scaleSigma: 0.001,
    },
    footprint: [
      [13.405, 52.52],
      [13.4052, 52.52],
      [13.4052, 52.5201],
      [13.405, 52.52],
    ],
    isProposed,
    toeFootprint: undefined,
    netM3,
    roundedOffM3,
    cutM3: netM3 + fillM3,
    fillM3,
    areaM2: 410.25,
    maxHeightM: 6.125,
    coverage: 1,
    interpolated: 0,
    base: { method: "plane", nmad_m: 0.02, from: "this_epoch" },
    alignment: "first",
    uncertainty: {
      terms,
      sigmaM3,
      volumeM3: netM3,
      alignment: "first",
      scaleFrom: "rtk",
      nadirShare: 0.8,
      isInside: false,
      isGiven: false,
    },
    warnings: [],
  };
}
