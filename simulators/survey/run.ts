import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createRandom } from "../randomness/random.ts";
import { type Crew, openCrew } from "./crew.ts";
import { imageTags } from "./files/metadata.ts";
import { viewRays } from "./flight/camera.ts";
import { statedSigmaM } from "./flight/gps-noise.ts";
import type { SurveyOptions } from "./options/options.ts";
import { paintScene } from "./paint-scene.ts";
import type { TrueMark } from "./render/render-image.ts";
import { setUpScene, type UnpaintedScene } from "./scene/scene.ts";
import type { Target } from "./scene/target.ts";
import { placeTargets } from "./scene/targets.ts";
import { planSurvey, SITE_ORIGIN, type SurveyPlan } from "./site/plan-survey.ts";
import { controlPointFile } from "./truth/control-point-file.ts";
import { createTruth } from "./truth/create-truth.ts";
import type { SurveyTruth } from "./truth/truth.ts";
import { writeTruthRasters } from "./truth/truth-raster.ts";

/** Progress of a run. */
export interface SurveyProgress {
  readonly stage: "site" | "texture" | "images" | "truth";
  readonly done: number;
  readonly of: number;
}

export interface SurveyRunOptions {
  /** Folder for everything; made when missing, files in it are replaced. */
  readonly out: string;
  /** Threads; 0 = the calling one. */
  readonly workers: number;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: SurveyProgress) => void;
}

/**
 * Simulates a survey: images with tags, truth.json, true surfaces and control points. Equal options give
 * equal bytes on every number of threads. truth.json is written last: where it is, the rest is whole.
 * @throws `AbortError` when the signal fires; images that were finished stay.
 */
export async function runSurvey(
  options: SurveyOptions,
  { out, workers, signal, onProgress = () => {} }: SurveyRunOptions,
): Promise<SurveyTruth> {
  await mkdir(out, { recursive: true });
  onProgress({ stage: "site", done: 0, of: 1 });
  const plan = planSurvey(options);
  let targets: readonly Target[] = [];
  const unpainted = setUpScene(plan.site, {
    extentM: plan.extentM,
    gsdM: plan.gsdM,
    seed: options.seed,
    isSnow: plan.isSnow,
    contrast: plan.contrast,
    placeTargets(heights) {
      const drawn = createRandom(`survey-${options.seed}/targets`);
      // Under snow no target is visible.
      targets = plan.isSnow
        ? []
        : placeTargets(plan.area, plan.site, heights, options.controlPoints, drawn);
      return targets;
    },
  });
  const crew = openCrew(workers, signal);
  try {
    await paintScene(crew, unpainted, (done, of) => onProgress({ stage: "texture", done, of }));
    const marks = await renderImages(crew, plan, options, unpainted, targets, { out, onProgress });
    onProgress({ stage: "truth", done: 0, of: 1 });
    const { heights } = unpainted.scene;
    const { origin = SITE_ORIGIN } = options;
    const rasters = await writeTruthRasters(out, plan, heights, origin);
    const truth = createTruth({ plan, options, targets, marks, rasters, origin });
    if (options.controlPoints > 0) {
      await writeFile(join(out, "gcp_list.txt"), controlPointFile(truth.controlPoints));
    }
    await writeFile(join(out, "truth.json"), `${JSON.stringify(truth, undefined, 1)}\n`);
    return truth;
  } finally {
    await crew.close();
  }
}

async function renderImages(
  crew: Crew,
  plan: SurveyPlan,
  options: SurveyOptions,
  { scene }: UnpaintedScene,
  targets: readonly Target[],
  { out, onProgress }: { out: string; onProgress: (progress: SurveyProgress) => void },
): Promise<(readonly TrueMark[])[]> {
  const rays = plan.bodies.map(({ lens }) => viewRays(lens));
  const rtkSigmaM = statedSigmaM(options.gps);
  const { seed, exposureMs, readoutMs, noise } = options;
  let done = 0;
  return Promise.all(
    plan.captures.map(async (capture) => {
      const body = plan.bodies[capture.camera];
      const marks = await crew.run("image", {
        input: {
          scene,
          capture,
          body,
          rays: rays[capture.camera] ?? new Float32Array(),
          options: { seed, exposureMs, readoutMs, noise },
          targets,
        },
        tags: imageTags({
          capture,
          body,
          origin: options.origin ?? SITE_ORIGIN,
          startMs: plan.startMs,
          exposureMs,
          rtkSigmaM,
        }),
        jpegQuality: options.jpegQuality,
        path: join(out, capture.name),
      });
      onProgress({ stage: "images", done: ++done, of: plan.captures.length });
      return marks;
    }),
  );
}
