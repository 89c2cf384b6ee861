/**
 * What a survey takes, from files of images to surface, orthophoto, model and report. Prints wall and CPU seconds
 * by stage, peak memory, growth with the number of images, a second run on known images, and COLMAP's
 * sparse reconstruction of the same 36 images beside it, in one run. Simulated images of 1200 px, profile
 * `quick`. The CPU seconds are more reliable than the wall's where others use the machine: the threads of the
 * pool are nicer than they are, and wait.
 *
 *   npx tsx bench/survey.ts [--images 18,36,72,144] [--threads 1,2] [--code dist] [--data DIR]
 *       [--no-colmap | --colmap-defaults]
 *
 * COLMAP gets as many features an image as we have; --colmap-defaults: its own 8192 as well (half an hour).
 * --code: the built program instead of the sources. --data: keeps the simulated images there.
 */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { PROFILES } from "../processing/engine/port/profiles.ts";
import { SURVEY_DEFAULTS } from "../simulators/survey/options/options.ts";
import { machineLoad } from "./figures/machine-load.ts";
import { hasColmap, runColmap } from "./survey/colmap.ts";
import { simulatedImages } from "./survey/simulated-images.ts";
import type { SurveyCost } from "./survey/survey-cost.ts";
import { surveyOnce } from "./survey/survey-once.ts";

/** The set that the goals are about, and COLMAP works on. */
const USUAL_IMAGES = 36;
const MOST_THREADS = 2;

const { values } = parseArgs({
  options: {
    images: { type: "string", default: "18,36,72,144" },
    threads: { type: "string", default: "1,2" },
    code: { type: "string", default: fileURLToPath(new URL("..", import.meta.url)) },
    data: { type: "string" },
    "no-colmap": { type: "boolean", default: false },
    "colmap-defaults": { type: "boolean", default: false },
  },
});
const numbers = (text: string) => text.split(",").map(Number);

interface Row {
  readonly images: number;
  readonly threads: number;
  readonly first: SurveyCost;
  readonly second: SurveyCost;
}

/** One survey on new images, and the same again. */
async function measure(dir: string, images: number, threads: number): Promise<Row> {
  const stages = await mkdtemp(join(tmpdir(), "plumbline-bench-stages-"));
  const once = () => surveyOnce({ code: values.code, images: dir, stages, threads });
  try {
    const first = await once();
    return { images, threads, first, second: await once() };
  } finally {
    await rm(stages, { recursive: true, force: true });
  }
}

const s = (seconds: number) => seconds.toFixed(2);
const mb = (bytes: number) => Math.round(bytes / 1e6);

function report({ images, threads, first, second }: Row): void {
  console.log(`\n${images} images, ${threads} thread(s), ${machineLoad()}`);
  console.table(
    Object.fromEntries(
      [...first.stages, { name: "all", wallS: first.wallS, cpuS: first.cpuS }].map((stage) => [
        stage.name,
        { "wall s": s(stage.wallS), "CPU s": s(stage.cpuS) },
      ]),
    ),
  );
  console.log(
    `peak ${mb(first.peakBytes)} MB, of its own ${mb(first.peakOwnBytes)} MB; ` +
      `${first.cameras} cameras, rms ${first.rmsPx.toFixed(3)} px; ` +
      `again, on known images: ${s(second.wallS)} s, ${s(second.cpuS)} s CPU`,
  );
}

/** Exponent of growth between two sizes: 1 = in proportion. */
function reportGrowth(rows: readonly Row[], threads: number): void {
  const some = rows.filter((row) => row.threads === threads);
  for (const [i, row] of some.entries()) {
    const before = some[i - 1];
    if (before === undefined) continue;
    const exponent = (of: (row: Row) => number) =>
      (Math.log(of(row) / of(before)) / Math.log(row.images / before.images)).toFixed(2);
    console.log(
      `${before.images} to ${row.images} images on ${threads} thread(s): wall grows with ` +
        `n^${exponent(({ first }) => first.wallS)}, CPU with n^${exponent(({ first }) => first.cpuS)}`,
    );
  }
}

async function reportColmap(
  dir: string,
  { first }: Row,
  maxFeatures: number | undefined,
): Promise<void> {
  const { widthPx } = SURVEY_DEFAULTS;
  const { steps } = await runColmap(dir, { widthPx, threads: MOST_THREADS, maxFeatures });
  const sum = (of: "wallS" | "cpuS") => steps.reduce((total, step) => total + step[of], 0);
  console.log(
    `\nCOLMAP, sparse only, ${maxFeatures ?? "its usual 8192"} features an image, ` +
      `${USUAL_IMAGES} images, ${MOST_THREADS} threads, ${machineLoad()}`,
  );
  console.table(
    Object.fromEntries(
      [...steps, { name: "all", wallS: sum("wallS"), cpuS: sum("cpuS") }].map((step) => [
        step.name,
        { "wall s": s(step.wallS), "CPU s": s(step.cpuS) },
      ]),
    ),
  );
  // What COLMAP does ends where the cameras are oriented.
  const surface = first.stages.findIndex(({ name }) => name === "surface");
  const sparse = first.stages.slice(0, surface);
  const ours = (of: "wallS" | "cpuS") => sparse.reduce((total, stage) => total + stage[of], 0);
  for (const [what, wallS, cpuS] of [
    ["up to the oriented cameras", ours("wallS"), ours("cpuS")],
    ["the whole survey, surface and products too", first.wallS, first.cpuS],
  ] as const) {
    console.log(
      `${what}: ${(sum("wallS") / wallS).toFixed(1)} x faster, ` +
        `${(sum("cpuS") / cpuS).toFixed(1)} x less CPU`,
    );
  }
}

const data = values.data ?? (await mkdtemp(join(tmpdir(), "plumbline-bench-images-")));
try {
  const rows: Row[] = [];
  for (const images of numbers(values.images)) {
    const dir = await simulatedImages(data, images);
    for (const threads of numbers(values.threads)) {
      const row = await measure(dir, images, threads);
      report(row);
      rows.push(row);
    }
  }
  for (const threads of numbers(values.threads)) reportGrowth(rows, threads);
  const usual = rows.find((row) => row.images === USUAL_IMAGES && row.threads === MOST_THREADS);
  if (usual === undefined || values["no-colmap"]) console.log("COLMAP: not asked for");
  else if (hasColmap()) {
    const dir = join(data, String(USUAL_IMAGES));
    await reportColmap(dir, usual, PROFILES.quick.maxKeypoints);
    if (values["colmap-defaults"]) await reportColmap(dir, usual, undefined);
  } else console.log("COLMAP: skipped, it is not installed (apt-get install colmap)");
} finally {
  if (values.data === undefined) await rm(data, { recursive: true, force: true });
}
