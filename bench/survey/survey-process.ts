/**
 * One survey in a process of its own, for the benches of surveys: its memory is then that of this survey.
 *
 *   tsx bench/survey/survey-process.ts CODE IMAGES STAGES THREADS [CONTROL [MODEL]]
 *
 * CODE: the folder of the program: the repository, or what tsc built of it. CONTROL: a file of control points, or
 * empty. MODEL: a folder for cameras and images in COLMAP's text format. Prints one line of JSON.
 */
import { existsSync, readFileSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { SurveyCost } from "./survey-cost.ts";

/** How often memory is read. */
const SAMPLE_MS = 20;
/** Enough that 144 images keep their 1200 px (memory-estimate.ts); 36 are to stay within 1.2 GB. */
const MEMORY_BYTES = 1.6e9;

const [code = ".", images = "", stages = "", threads = "2", control = "", model = ""] =
  process.argv.slice(2);
const { createSurveyEngines } = await load<
  typeof import("../../processing/engine/survey-engines.ts")
>("processing/engine/survey-engines");
const { createStageStores } = await load<
  typeof import("../../processing/engine/run/stage-stores.ts")
>("processing/engine/run/stage-stores");
const { PROFILES } = await load<typeof import("../../processing/engine/port/profiles.ts")>(
  "processing/engine/port/profiles",
);
const { imageFilesOf } = await load<typeof import("../../processing/images/files/folder-files.ts")>(
  "processing/images/files/folder-files",
);
const { ThreadPool } =
  await load<typeof import("../../processing/pool/pool.ts")>("processing/pool/pool");

const outDir = await mkdtemp(join(tmpdir(), "plumbline-bench-survey-"));
const pool = new ThreadPool({ threads: Number(threads), memoryBytes: MEMORY_BYTES });
const engines = createSurveyEngines({ pool, stages: createStageStores(), nodeOdm: undefined });
let peakOwnBytes = 0;
const sampler = setInterval(() => {
  peakOwnBytes = Math.max(peakOwnBytes, statusBytes("RssAnon") + statusBytes("RssShmem"));
}, SAMPLE_MS);

const clock = () => {
  const { user, system } = process.cpuUsage();
  return { wallS: performance.now() / 1_000, cpuS: (user + system) / 1e6 };
};
const start = clock();
const files = await imageFilesOf(images);
const controlPoints = control === "" ? [] : await readControl(files.map(({ name }) => name));
const marks = [{ name: "files", ...start }];
try {
  const result = await engines.process(
    { engine: "local", rasters: undefined },
    {
      name: "bench",
      images: files,
      profile: PROFILES.quick,
      controlPoints,
      scaleBars: [],
      workDir: stages,
      outDir,
    },
    {
      signal: new AbortController().signal,
      onProgress({ stage }) {
        if (marks.at(-1)?.name !== stage) marks.push({ name: stage, ...clock() });
      },
    },
  );
  const end = clock();
  if (model !== "") {
    const { colmap_cameras: cameras = "", colmap_images: posed = "" } = result.products.exports;
    await mkdir(model, { recursive: true });
    await copyFile(cameras, join(model, "cameras.txt"));
    await copyFile(posed, join(model, "images.txt"));
  }
  const cost: SurveyCost = {
    wallS: end.wallS - start.wallS,
    cpuS: end.cpuS - start.cpuS,
    stages: marks.map(({ name, wallS, cpuS }, i) => {
      const next = marks[i + 1] ?? end;
      return { name, wallS: next.wallS - wallS, cpuS: next.cpuS - cpuS };
    }),
    peakBytes: statusBytes("VmHWM"),
    peakOwnBytes,
    cameras: result.reconstruction?.cameras.length ?? 0,
    rmsPx: result.reconstruction?.summary.rmsPx ?? Number.NaN,
  };
  console.log(JSON.stringify(cost));
} finally {
  clearInterval(sampler);
  await engines.close();
  await rm(outDir, { recursive: true, force: true });
}

/** Control points by their marks in images that are there: files of larger flights are common. */
async function readControl(names: readonly string[]) {
  const { readControlPointFile } = await load<
    typeof import("../../processing/engine/port/control-point-file.ts")
  >("processing/engine/port/control-point-file");
  const { marksWithin } = await load<
    typeof import("../../processing/engine/port/control-names.ts")
  >("processing/engine/port/control-names");
  return marksWithin(readControlPointFile(await readFile(control, "utf8")).points, names);
}

/** A line of /proc/self/status, bytes. */
function statusBytes(name: string): number {
  const status = readFileSync("/proc/self/status", "utf8");
  return 1_024 * Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status)?.[1] ?? 0);
}

/** A module of the program under test, by its path without suffix. */
async function load<Module>(path: string): Promise<Module> {
  const built = resolve(code, `${path}.js`);
  const file = existsSync(built) ? built : resolve(code, `${path}.ts`);
  return (await import(pathToFileURL(file).href)) as Module;
}
