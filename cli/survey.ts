import { readFile, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { basename, join, resolve } from "node:path";
import { readCommandSettings } from "../config/cli-settings.ts";
import { DomainError } from "../domain/errors.ts";
import { HEIGHT_UNITS } from "../domain/geometry/vertical-datum.ts";
import { useGridFolder } from "../processing/coordinates/grid-folder.ts";
import { outputSystem } from "../processing/coordinates/map-projection.ts";
import { ENGINE_CHOICES } from "../processing/engine/choose.ts";
import { NodeOdmClient } from "../processing/engine/nodeodm/client.ts";
import { readControlPointFile } from "../processing/engine/port/control-point-file.ts";
import { ORTHOPHOTO_CELLS, PROFILE_NAMES, profileFor } from "../processing/engine/port/profiles.ts";
import { readScaleBarFile } from "../processing/engine/port/scale-bar-file.ts";
import { printReport } from "../processing/engine/products/print-report.ts";
import { createStageStores } from "../processing/engine/run/stage-stores.ts";
import { createSurveyEngines, type FinishedSurvey } from "../processing/engine/survey-engines.ts";
import { GateRefusal } from "../processing/gates/gates.ts";
import { imageFilesOf } from "../processing/images/files/folder-files.ts";
import { defaultMemoryBytes } from "../processing/pool/memory-budget.ts";
import { ThreadPool } from "../processing/pool/pool.ts";
import { CONTOUR_INTERVAL_M } from "../processing/survey/export-fields.ts";
import { surveySummary } from "../processing/survey/survey-summary.ts";
import { readOptions, required } from "./arguments.ts";
import type { Command } from "./command.ts";
import { createPercentBar } from "./percent-bar.ts";
import { refusalText, writeRefusal } from "./survey-refusal.ts";
import { surveyText } from "./survey-text.ts";
import { UsageError } from "./usage-error.ts";

const YES_NO = ["yes", "no"] as const;
const MIB = 1024 ** 2;
const OPTIONS = [
  ...["images", "out", "gcp", "gcp-subset", "profile", "workers", "engine", "dsm", "ortho"],
  "contours",
  ...["orthophoto", "geoid", "height-unit", "crs", "scale-bars"],
] as const;

/** Makes a surface, an orthophoto, a model and a report of a folder of drone images. */
export const survey: Command = {
  usage:
    "survey --images DIR --out DIR [--gcp FILE [--gcp-subset yes]] [--profile quick|full] [--workers N]\n" +
    "      [--orthophoto profile|native] [--engine auto|local|nodeodm] [--dsm FILE [--ortho FILE]]\n" +
    "      [--contours M] [--geoid FILE] [--height-unit m|ft|us-ft]\n" +
    "      [--crs EPSG:CODE] [--scale-bars FILE]",
  about:
    "Turns overlapping drone images into dsm.tif, dtm.tif, orthomosaic.tif, point-cloud.copc.laz,\n" +
    "contours.geojson, contours.dxf, model.glb, cameras (JSON, OpenSfM, COLMAP) and report.html in the\n" +
    "folder --out, and report.pdf where Chromium is there. --contours: metres between contour lines.\n" +
    "--gcp: control points as gcp_list.txt (OpenDroneMap's form) or CSV; names that start with\n" +
    '"check" are held back; --gcp-subset yes: of a larger flight, marks in other images do not count.\n' +
    "--dsm, --ortho: GeoTIFFs that somebody else made, instead of --images.\n" +
    "--height-unit: in what --dsm counts heights, where the file does not say it. --geoid: file name of a\n" +
    "grid in GRID_DIR (GTX or GeoTIFF); heights above the ellipsoid are reduced by it.\n" +
    "--crs: coordinate system of the maps; absent: the UTM zone. --scale-bars: distances measured on site, as CSV\n" +
    "with the columns bar, length_m, sigma_m, end (1 or 2), image, u, v and a row for each mark.\n" +
    "--orthophoto native: one cell of the orthophoto for each pixel of the photographs (profile full), at\n" +
    "most 64 million. Decoded images lie in --out meanwhile: 1.4, then 4 bytes for each of their pixels.\n" +
    "What is refused leaves report.json in --out: the gate, and every image with what became of it.\n" +
    "Ctrl-C stops; the same command goes on where it was. WORKER_MEMORY_MIB bounds the memory;\n" +
    "NODEODM_URL and NODEODM_TOKEN name a NodeODM for surveys of more than 600 images.",
  async run(args, { signal, say }) {
    const options = readOptions(args, OPTIONS);
    const outDir = resolve(required("out", options["out"]));
    const profile = oneOf("profile", options["profile"] ?? "full", PROFILE_NAMES);
    const orthophoto = oneOf("orthophoto", options["orthophoto"] ?? "profile", ORTHOPHOTO_CELLS);
    const engine = oneOf("engine", options["engine"] ?? "auto", ENGINE_CHOICES);
    const workers = wholeNumber("workers", options["workers"] ?? String(availableParallelism()));
    const { dsm, ortho, gcp } = options;
    if (ortho !== undefined && dsm === undefined) throw new UsageError("--ortho needs --dsm");
    const unit = options["height-unit"];
    if (unit !== undefined && dsm === undefined) throw new UsageError("--height-unit needs --dsm");
    const heightUnit = unit === undefined ? undefined : oneOf("height-unit", unit, HEIGHT_UNITS);
    const rasters = dsm === undefined ? undefined : { dsm, orthophoto: ortho, heightUnit };
    const folder =
      rasters === undefined ? required("images", options["images"]) : options["images"];
    const images = folder === undefined ? [] : await imageFilesOf(resolve(folder));
    const { workerMemoryMib, nodeodmUrl, nodeodmToken, gridDir, chromiumFile } =
      readCommandSettings({});
    useGridFolder(gridDir);
    const file = gcp === undefined ? undefined : readControlPointFile(await readFile(gcp, "utf8"));
    const bars = options["scale-bars"];
    const scaleBars = bars === undefined ? [] : readScaleBarFile(await readFile(bars, "utf8"));
    if (options.crs !== undefined) outputSystem(options.crs);
    const isControlSubset = oneOf("gcp-subset", options["gcp-subset"] ?? "no", YES_NO) === "yes";
    const contourIntervalM =
      options.contours === undefined ? undefined : contourMetres("contours", options.contours);
    const pool = new ThreadPool({
      threads: workers,
      memoryBytes: workerMemoryMib === undefined ? defaultMemoryBytes() : workerMemoryMib * MIB,
    });
    const nodeOdm =
      nodeodmUrl === undefined ? undefined : new NodeOdmClient(nodeodmUrl, nodeodmToken);
    const engines = createSurveyEngines({ pool, stages: createStageStores(), nodeOdm });
    const bar = createPercentBar(process.stderr);
    let result: FinishedSurvey;
    try {
      result = await engines.process(
        { engine, rasters },
        {
          name: basename(resolve(folder ?? dsm ?? "survey")),
          images,
          profile: profileFor(profile, orthophoto),
          controlPoints: file?.points ?? [],
          isControlSubset,
          scaleBars,
          outputCrs: options.crs,
          geoidGrid: options.geoid,
          exports: true,
          contourIntervalM,
          workDir: join(outDir, "stages"),
          outDir,
        },
        { signal, onProgress: bar.show },
      );
    } catch (error) {
      if (error instanceof GateRefusal) {
        bar.stop();
        for (const line of refusalText(error)) say(line);
        say(`  ${await writeRefusal(error, outDir)}`);
      }
      throw error;
    } finally {
      bar.stop();
      await engines.close();
    }
    if (file !== undefined) say(file.note);
    for (const line of surveyText(surveySummary(result, result.products))) say(line);
    say(`  ${await printedReport(result.products.reportHtml, outDir, chromiumFile, signal)}`);
  },
};

/** Prints the report; the path of the PDF, or why there is none. */
async function printedReport(
  reportHtml: string,
  outDir: string,
  chromium: string | undefined,
  signal: AbortSignal,
): Promise<string> {
  try {
    const pdf = await printReport(await readFile(reportHtml, "utf8"), chromium, signal);
    if (pdf === undefined) return "no report.pdf: there is no Chromium (CHROMIUM_FILE, or PATH)";
    const path = join(outDir, "report.pdf");
    await writeFile(path, pdf);
    return path;
  } catch (error) {
    if (error instanceof DomainError) return `no report.pdf: ${error.message}`;
    throw error;
  }
}

function contourMetres(name: string, value: string): number {
  const number = Number(value);
  const { minimum, maximum } = CONTOUR_INTERVAL_M;
  if (!(number >= minimum && number <= maximum)) {
    const range = `from ${minimum} to ${maximum}`;
    throw new UsageError(`--${name} "${value}" is not a number of metres ${range}`);
  }
  return number;
}

function oneOf<T extends string>(name: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((one) => one === value);
  if (found === undefined) {
    throw new UsageError(`--${name} "${value}" is not one of ${allowed.join(", ")}`);
  }
  return found;
}

function wholeNumber(name: string, value: string): number {
  const number = Number(value);
  if (!(Number.isInteger(number) && number >= 1 && number <= 256)) {
    throw new UsageError(`--${name} "${value}" is not a whole number from 1 to 256`);
  }
  return number;
}
