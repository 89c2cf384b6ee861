import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseProcessStat } from "../../test/support/process-stat.ts";
import { type Centres, cameraCentres, withLens } from "./camera-centres.ts";
import type { StageCost } from "./survey-cost.ts";

export function hasColmap(): boolean {
  return spawnSync("colmap", ["help"], { stdio: "ignore" }).status === 0;
}

export interface ColmapOptions {
  /** Of images as they are worked on. */
  readonly widthPx: number;
  readonly threads: number;
  /** Of an image, before those with two directions count twice; its default is 8192. */
  readonly maxFeatures?: number | undefined;
  /** Its name for a lens model; its default is SIMPLE_RADIAL. */
  readonly lensModel?: string;
  /** Parameters of a lens model that a last adjustment is made with, beside the one that finds the lens. */
  readonly lens?: readonly string[];
}

export interface ColmapRun {
  readonly steps: readonly StageCost[];
  /** Cameras of its largest model, in units of its own. */
  readonly centres: Centres;
  /** The same, adjusted with the lens that was given. */
  readonly withLens: Centres | undefined;
}

/**
 * A sparse reconstruction of a folder's images by COLMAP on the CPU: its own steps and its defaults but
 * for what the options name.
 */
export async function runColmap(images: string, options: ColmapOptions): Promise<ColmapRun> {
  const { widthPx, threads, maxFeatures, lensModel, lens } = options;
  const dir = await mkdtemp(join(tmpdir(), "plumbline-colmap-"));
  const database = ["--database_path", join(dir, "database.db")];
  const sparse = join(dir, "sparse");
  await mkdir(sparse);
  const steps: readonly (readonly string[])[] = [
    [
      ...["feature_extractor", ...database, "--image_path", images],
      ...["--ImageReader.single_camera", "1", "--SiftExtraction.use_gpu", "0"],
      ...(lensModel === undefined ? [] : ["--ImageReader.camera_model", lensModel]),
      ...["--SiftExtraction.max_image_size", String(widthPx)],
      ...["--SiftExtraction.num_threads", String(threads)],
      ...(maxFeatures === undefined
        ? []
        : ["--SiftExtraction.max_num_features", String(maxFeatures)]),
    ],
    [
      ...["exhaustive_matcher", ...database, "--SiftMatching.use_gpu", "0"],
      ...["--SiftMatching.num_threads", String(threads)],
    ],
    [
      ...["mapper", ...database, "--image_path", images, "--output_path", sparse],
      ...["--Mapper.num_threads", String(threads)],
    ],
  ];
  const costs: StageCost[] = [];
  try {
    for (const step of steps) costs.push(await runStep(step));
    const { model, centres } = await largestModel(sparse);
    return { steps: costs, centres, withLens: lens && (await adjustedWith(model, lens, dir)) };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** The mapper leaves a folder for each block that it could not join to another. */
async function largestModel(sparse: string) {
  const models: { readonly model: string; readonly centres: Centres }[] = [];
  for (const name of await readdir(sparse)) {
    const model = join(sparse, name);
    models.push({ model, centres: await modelCentres(model) });
  }
  const [largest] = models.toSorted((a, b) => b.centres.size - a.centres.size);
  if (largest === undefined) throw new Error("colmap mapper made no model");
  return largest;
}

/** Cameras of a model after an adjustment of poses and points alone. */
async function adjustedWith(model: string, lens: readonly string[], dir: string): Promise<Centres> {
  const [given, adjusted] = [join(dir, "given"), join(dir, "adjusted")];
  await mkdir(given);
  await mkdir(adjusted);
  for (const name of ["cameras.txt", "images.txt", "points3D.txt"]) {
    const text = await readFile(join(model, name), "utf8");
    await writeFile(join(given, name), name === "cameras.txt" ? withLens(text, lens) : text);
  }
  await runStep([
    ...["bundle_adjuster", "--input_path", given, "--output_path", adjusted],
    ...["--BundleAdjustment.refine_focal_length", "0"],
    ...["--BundleAdjustment.refine_principal_point", "0"],
    ...["--BundleAdjustment.refine_extra_params", "0"],
    ...["--BundleAdjustment.max_num_iterations", "300"],
    // Its default ends where the cost falls by less than a millionth: centimetres from rest.
    ...["--BundleAdjustment.function_tolerance", "0"],
  ]);
  return await modelCentres(adjusted);
}

async function modelCentres(model: string): Promise<Centres> {
  await runStep([
    ...["model_converter", "--input_path", model, "--output_path", model],
    ...["--output_type", "TXT"],
  ]);
  return cameraCentres(await readFile(join(model, "images.txt"), "utf8"));
}

async function runStep(step: readonly string[]): Promise<StageCost> {
  const startMs = performance.now();
  const cpuBefore = childCpuS();
  const child = spawn("colmap", step, {
    stdio: "ignore",
    env: { ...process.env, QT_QPA_PLATFORM: "offscreen" },
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", resolve);
  });
  if (code !== 0) throw new Error(`colmap ${step[0]} ended with ${code}`);
  return {
    name: step[0] ?? "",
    wallS: (performance.now() - startMs) / 1_000,
    cpuS: childCpuS() - cpuBefore,
  };
}

/** CPU time of all children that ended so far, s. */
const childCpuS = () => parseProcessStat(readFileSync("/proc/self/stat", "utf8")).childrenCpuS;
