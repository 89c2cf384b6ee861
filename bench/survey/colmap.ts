import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { StageCost } from "./survey-cost.ts";

/** Unit of times in /proc, per second (`getconf CLK_TCK`; 100 on every Linux of today). */
const TICKS_PER_S = 100;

export function hasColmap(): boolean {
  return spawnSync("colmap", ["help"], { stdio: "ignore" }).status === 0;
}

/**
 * A sparse reconstruction of a folder's images by COLMAP on the CPU: its own steps and its defaults but
 * for the size of images, the number of threads and, where given, of features.
 * @param maxFeatures of an image, before those with two directions count twice; its default is 8192
 */
export async function runColmap(
  images: string,
  options: {
    readonly widthPx: number;
    readonly threads: number;
    readonly maxFeatures?: number | undefined;
  },
): Promise<readonly StageCost[]> {
  const { widthPx, threads, maxFeatures } = options;
  const dir = await mkdtemp(join(tmpdir(), "plumbline-colmap-"));
  const database = ["--database_path", join(dir, "database.db")];
  const sparse = join(dir, "sparse");
  await mkdir(sparse);
  const steps: readonly (readonly string[])[] = [
    [
      ...["feature_extractor", ...database, "--image_path", images],
      ...["--ImageReader.single_camera", "1", "--SiftExtraction.use_gpu", "0"],
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
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
  return costs;
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

/** CPU time of all children that ended so far, s (`cutime` and `cstime` of proc(5)). */
function childCpuS(): number {
  // The name of the program, in parentheses, may hold anything; numbers come after it.
  const stat = readFileSync("/proc/self/stat", "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_S;
}
