/**
 * CPU of each part of the files that a survey leaves, beside that of the whole survey: one simulated survey at the
 * profile `quick` without exports, then each part alone, several times, in this thread.
 *
 *   npx tsx bench/products.ts [--images 18] [--width 800] [--rounds 5]
 *
 * First and median milliseconds: a task runs a part once in a thread whose code may not be compiled yet.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { PROFILES } from "../processing/engine/port/profiles.ts";
import { cameraFiles } from "../processing/engine/products/camera-files.ts";
import { exportFiles } from "../processing/engine/products/export-files.ts";
import { modelFiles } from "../processing/engine/products/model-files.ts";
import { orthoFiles } from "../processing/engine/products/ortho-files.ts";
import type { ProductInput } from "../processing/engine/products/product-input.ts";
import { surfaceMap } from "../processing/engine/products/product-input.ts";
import { reportFiles } from "../processing/engine/products/report-files.ts";
import { surfaceFiles } from "../processing/engine/products/surface-files.ts";
import { createStageStores } from "../processing/engine/run/stage-stores.ts";
import { createSurveyEngines } from "../processing/engine/survey-engines.ts";
import { imageFilesOf } from "../processing/images/files/folder-files.ts";
import { writeCog } from "../processing/photogrammetry/products/cog/write-cog.ts";
import { contourTexts } from "../processing/photogrammetry/products/contours/contour-files.ts";
import { mapWkt } from "../processing/photogrammetry/products/map/map-wkt.ts";
import { classesOnMap } from "../processing/photogrammetry/products/point-cloud/point-raster.ts";
import { writeCopc } from "../processing/photogrammetry/products/point-cloud/write-copc.ts";
import {
  elevationOnMap,
  orthoOnMap,
} from "../processing/photogrammetry/products/resample-products.ts";
import { terrainOf } from "../processing/photogrammetry/products/terrain/terrain.ts";
import { ThreadPool } from "../processing/pool/pool.ts";
import { SURVEY_DEFAULTS, usualObliques } from "../simulators/survey/options/options.ts";
import { runSurvey } from "../simulators/survey/run.ts";

const { values } = parseArgs({
  options: {
    images: { type: "string", default: "18" },
    width: { type: "string", default: "800" },
    rounds: { type: "string", default: "5" },
  },
});
const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

const dir = await mkdtemp(join(tmpdir(), "plumbline-bench-products-"));
try {
  const [input, surveyMs] = await survey(join(dir, "images"));
  await report(input, surveyMs);
} finally {
  await rm(dir, { recursive: true, force: true });
}

/** One survey, its facts as the product stage takes them, and its CPU. */
async function survey(images: string): Promise<readonly [ProductInput, number]> {
  const count = Number(values.images);
  await runSurvey(
    {
      ...SURVEY_DEFAULTS,
      ...{ gps: "rtk", images: count, obliques: usualObliques(count) },
      widthPx: Number(values.width),
    },
    { out: images, workers: availableParallelism(), signal: new AbortController().signal },
  );
  const pool = new ThreadPool({ threads: 2, memoryBytes: 1.6e9 });
  const engines = createSurveyEngines({ pool, stages: createStageStores(), nodeOdm: undefined });
  const startMs = cpuMs();
  const folders = { workDir: join(dir, "stages"), outDir: join(dir, "out") };
  const control = { controlPoints: [], scaleBars: [] };
  try {
    const result = await engines.process(
      { engine: "local", rasters: undefined },
      {
        name: "bench",
        images: await imageFilesOf(images),
        profile: PROFILES.quick,
        ...control,
        ...folders,
      },
      { signal: new AbortController().signal, onProgress: () => undefined },
    );
    return [{ name: "bench", coverage: undefined, ...result }, cpuMs() - startMs];
  } finally {
    await engines.close();
  }
}

async function report(input: ProductInput, surveyMs: number): Promise<void> {
  const { dsm, ortho, origin } = input;
  const map = surfaceMap(input);
  const { width, height } = map.frame;
  const terrain = terrainOf(dsm);
  const bare = elevationOnMap(terrain, map);
  const seen = elevationOnMap(dsm, map);
  const rgba = ortho && orthoOnMap(ortho, map);
  const classes = classesOnMap(dsm, terrain.isGround, map);
  const metadata = { items: {}, bands: ["height"], unit: "m" };
  const parts: Readonly<Record<string, () => unknown>> = {
    "exports, all": () => exportFiles(input),
    "- terrain by cloth": () => terrainOf(dsm),
    "- terrain on the map": () => elevationOnMap(terrain, map),
    "- terrain as COG": () =>
      writeCog({ kind: "elevation", width, height, values: bare }, map.frame, metadata),
    "- contours": () => contourTexts(bare, map, origin, undefined),
    "- heights on the map": () => elevationOnMap(dsm, map),
    "- colours on the map": () => ortho && orthoOnMap(ortho, map),
    "- classes on the map": () => classesOnMap(dsm, terrain.isGround, map),
    "- point cloud as COPC": () =>
      writeCopc({ frame: map.frame, heightM: seen, rgba, classes }, mapWkt(map.frame)),
    cameras: () => cameraFiles(input),
    surface: () => surfaceFiles(input),
    orthophoto: () => orthoFiles(input),
    model: () => modelFiles(input),
    report: () => reportFiles(input),
  };
  const rows: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(parts)) {
    const times: number[] = [];
    for (let round = 0; round < Number(values.rounds); round += 1) {
      const startMs = cpuMs();
      await part();
      times.push(cpuMs() - startMs);
    }
    const middleMs = times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;
    rows[name] = {
      "first ms": Math.round(times[0] ?? 0),
      "median ms": Math.round(middleMs),
      "% of survey": ((100 * (times[0] ?? 0)) / surveyMs).toFixed(1),
    };
  }
  console.log(
    `${values.images} images of ${values.width} px: ${(surveyMs / 1_000).toFixed(2)} s of CPU, ${width} x ${height} cells`,
  );
  console.table(rows);
}
