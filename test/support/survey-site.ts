import proj4 from "proj4";
import type { CaptureId, JobId, ProjectId, StockpileId } from "../../domain/ids.ts";
import type { Capture } from "../../domain/sites/capture.ts";
import type { Georeferencing, StockpileMeasurement } from "../../domain/sites/measurement.ts";
import { capture } from "../contracts/records/progress-rows.ts";
import type { TestApp } from "./api-app.ts";
import { type MadeMap, orthoFile, surfaceFile } from "./map-tile.ts";
import { sampleMeasurement, sampleStockpile } from "./sample-stockpile.ts";

/** 40 m by 30 m at 52.52 north, 13.405 east, in UTM zone 33N: cells of 10 cm. */
export const SURVEY_MAP: MadeMap = {
  ...{ epsg: 32_633, westM: 391_780, northM: 5_819_980, cellM: 0.1, width: 400, height: 300 },
};
const UTM_33 = "+proj=utm +zone=33 +datum=WGS84 +units=m";
const MERCATOR_M = Math.PI * 6_378_137;

/** The tile of a zoom in the middle of that map. */
export function middleTile(z: number): {
  readonly z: number;
  readonly x: number;
  readonly y: number;
} {
  const { westM, northM } = SURVEY_MAP;
  const [x = 0, y = 0] = proj4(UTM_33, "EPSG:3857", [westM + 20, northM - 15]);
  return {
    z,
    x: Math.floor(((x + MERCATOR_M) / (2 * MERCATOR_M)) * 2 ** z),
    y: Math.floor(((MERCATOR_M - y) / (2 * MERCATOR_M)) * 2 ** z),
  };
}

/** The quality report of a survey, as far as it is read. */
const SURVEY_REPORT = {
  surface: {
    ground_sample_distance: { value: 2.31, unit: "cm" },
    lowest: { value: 40, unit: "m" },
    highest: { value: 60, unit: "m" },
  },
  adjustment: {
    reprojection_rms: { value: 0.412, unit: "px" },
    scale_sigma: { value: 0.21, unit: "%" },
    scale_from: "gps",
    control_rms: { value: null, unit: "m" },
    check_rms: { value: null, unit: "m" },
  },
  findings: [
    {
      gate: "LOW_OVERLAP",
      severity: "warn",
      measured: { value: 61, unit: "%" },
      limit: { value: 70, unit: "%" },
      advice: "Fly with more overlap.",
      images: ["a.jpg"],
    },
  ],
  image_table: [{ name: "a.jpg" }],
};

interface Flown {
  readonly purpose?: "survey";
  readonly images?: Capture["images"];
  readonly createdAt?: string;
  /** File that its volumes are computed from; absent: only the surface was kept. */
  readonly basis?: Uint8Array;
  readonly georeferencing?: Georeferencing;
}

interface Products {
  /** Map of the surface and orthophoto. */
  readonly map?: MadeMap;
  readonly hasOrthophoto?: boolean;
  readonly hasFiles?: boolean;
}

async function storeFiles(
  t: TestApp,
  keys: {
    readonly surface: string;
    readonly orthomosaic: string | undefined;
    readonly report: string;
  },
  { map = SURVEY_MAP, hasFiles = true }: Products,
): Promise<void> {
  if (!hasFiles) return;
  const { store } = t.files;
  await store.put(
    keys.surface,
    surfaceFile(map, (east) => 40 + (east - map.westM) / 2),
  );
  await store.put(keys.report, Buffer.from(JSON.stringify(SURVEY_REPORT)));
  if (keys.orthomosaic === undefined) return;
  await store.put(
    keys.orthomosaic,
    orthoFile(map, () => [200, 100, 50, 255]),
  );
}

/** A measurement with its products, of a stockpile of its own. */
export async function storeMeasuredSurvey(
  t: TestApp,
  name: string,
  project_id: ProjectId,
  change: Partial<StockpileMeasurement> = {},
  products: Products = {},
): Promise<StockpileMeasurement> {
  const stockpile = sampleStockpile({ id: `pile-${name}` as StockpileId, project_id });
  await t.records.stockpiles.insert(stockpile);
  const jobId = `job-${name}` as JobId;
  const made = sampleMeasurement(stockpile, jobId, change);
  const { hasOrthophoto = true } = products;
  const files = { ...made.files, ...(hasOrthophoto ? {} : { orthomosaic: undefined }) };
  await storeFiles(t, { ...files, report: files.surveyReport }, products);
  return await t.records.stockpiles.addMeasurement(stockpile.id, jobId, (before) => ({
    stockpile: before,
    measurement: { ...made, files },
    events: [],
  }));
}

/** A capture of a drone that is over, with its products. */
export async function storeFlownSurvey(
  t: TestApp,
  name: string,
  project_id: ProjectId,
  capture_date: string,
  { images = [], createdAt, purpose, basis, georeferencing, ...products }: Products & Flown = {},
): Promise<CaptureId> {
  const folder = `captures/${name}/1`;
  const { hasOrthophoto = true } = products;
  const orthomosaic = hasOrthophoto ? `${folder}/orthomosaic.tif` : undefined;
  const dsm = `${folder}/dsm.tif`;
  await storeFiles(t, { surface: dsm, orthomosaic, report: `${folder}/report.json` }, products);
  if (basis !== undefined) await t.files.store.put(`${folder}/basis.bin`, basis);
  const flown = capture(name, {
    project_id,
    capture_date,
    state: "completed",
    completed_at: "2026-03-05T11:00:00.000Z",
    warnings: ["little overlap"],
    images,
    ...(purpose === undefined ? {} : { purpose }),
    ...(createdAt === undefined ? {} : { created_at: createdAt }),
    products: {
      ...{ dsm, orthomosaic, orthomosaic_preview: undefined, preview_corners: undefined },
      ...{ model_3d: `${folder}/model.glb`, survey_report: `${folder}/report.html` },
      ...(basis === undefined ? {} : { basis: `${folder}/basis.bin` }),
      ...(georeferencing === undefined ? {} : { georeferencing }),
    },
  });
  await t.records.captures.insert(flown);
  return flown.id;
}
