import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Crew } from "../survey/crew.ts";
import { imageTags } from "../survey/files/metadata.ts";
import { viewRays } from "../survey/flight/camera.ts";
import { statedSigmaM } from "../survey/flight/gps-noise.ts";
import { SURVEY_DEFAULTS } from "../survey/options/options.ts";
import type { UnpaintedScene } from "../survey/scene/scene.ts";
import { SITE_ORIGIN } from "../survey/site/plan-survey.ts";
import { OVERLAP, type ProjectPlan, type WeekPlan } from "./plan/plan-project.ts";

/** Takes the images of a week's flight into `{folder}/flight/`, and writes `{folder}/capture.json`. */
export async function flyWeek(
  crew: Crew,
  plan: ProjectPlan,
  week: WeekPlan,
  { scene }: UnpaintedScene,
  out: string,
  folder: string,
  onImage: () => void,
): Promise<void> {
  await mkdir(join(out, folder, "flight"), { recursive: true });
  const request = captureRequest(plan, week);
  await writeFile(join(out, folder, "capture.json"), `${JSON.stringify(request, undefined, 1)}\n`);
  const { options, body } = plan;
  const { startMs, captures } = week;
  const rays = viewRays(body.lens);
  const { exposureMs, readoutMs } = SURVEY_DEFAULTS;
  await Promise.all(
    captures.map(async (capture) => {
      await crew.run("image", {
        input: {
          ...{ scene, capture, body, rays, targets: [] },
          options: {
            seed: options.seed * 1_000 + week.week,
            exposureMs,
            readoutMs,
            noise: options.noise,
          },
        },
        tags: imageTags({
          ...{ capture, body, startMs, exposureMs },
          origin: SITE_ORIGIN,
          rtkSigmaM: statedSigmaM(options.gps),
        }),
        jpegQuality: options.jpegQuality,
        path: join(out, folder, "flight", capture.name),
      });
      onImage();
    }),
  );
}

/** Body of `POST /progress/captures` but for `images`, which are addresses of uploads. */
function captureRequest({ options, altitudeM, gsdM }: ProjectPlan, { week, startMs }: WeekPlan) {
  return {
    project_id: options.project,
    capture_type: "drone",
    flight_metadata: {
      flight_id: `${options.project}-week-${week}`,
      flown_at: new Date(startMs).toISOString(),
      altitude_agl_m: altitudeM,
      gsd_cm: Number((100 * gsdM).toFixed(2)),
      front_overlap_percent: 100 * OVERLAP.forward,
      side_overlap_percent: 100 * OVERLAP.side,
      rtk: options.gps === "rtk",
    },
  };
}
