import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createUtmPlane } from "../survey/coordinates/utm-plane.ts";
import { openCrew } from "../survey/crew.ts";
import { paintScene } from "../survey/paint-scene.ts";
import { SITE_ORIGIN } from "../survey/site/plan-survey.ts";
import { planCameras } from "./camera/site-camera.ts";
import { writePlanFiles } from "./files/plan-files.ts";
import { writeWeekSurface } from "./files/week-surface.ts";
import { flyWeek } from "./fly-week.ts";
import type { ProjectOptions } from "./plan/options.ts";
import { planProject, startOf } from "./plan/plan-project.ts";
import { SceneMaker } from "./scene/week-scene.ts";
import { createSchedule } from "./schedule/activities.ts";
import { takePicture } from "./take-picture.ts";
import { createProjectTruth, measureWeek } from "./truth/create-truth.ts";
import { createZoneMeter } from "./truth/measure-zone.ts";
import type { ProjectTruth, TrueSiteCamera, TrueWeek } from "./truth/project-truth.ts";

/** Progress of a run. */
export interface ProjectProgress {
  /** 0: before the first week. */
  readonly week: number;
  readonly weeks: number;
  readonly stage: "site" | "texture" | "images";
  readonly done: number;
  readonly of: number;
}

export interface ProjectRunOptions {
  /** Folder for everything; made when missing, files in it are replaced. */
  readonly out: string;
  /** Threads; 0 = the calling one. */
  readonly workers: number;
  readonly signal: AbortSignal;
  /** Leaves out pictures; the truth is of the same site. */
  readonly withFlights: boolean;
  readonly withCameras: boolean;
  /** Renders this week alone; truth, plans and designs are of all weeks nevertheless. */
  readonly onlyWeek?: number;
  readonly onProgress?: (progress: ProjectProgress) => void;
}

/**
 * Simulates a project: plans, designs, weekly flights and pictures of fixed cameras, and what is true of
 * them. Equal options give equal bytes on every number of threads. truth.json is written last: where it
 * is, the rest is whole.
 * @throws SimulatorError when the flight cannot cover the site; `AbortError` when the signal fires:
 * images that were finished stay.
 */
export async function runProject(
  options: ProjectOptions,
  run: ProjectRunOptions,
): Promise<ProjectTruth> {
  const { out, onProgress = () => {} } = run;
  const plan = planProject(options);
  await mkdir(out, { recursive: true });
  // A truth of an earlier run must not lie beside pictures of this one.
  await rm(join(out, "truth.json"), { force: true });
  onProgress({ week: 0, weeks: options.weeks, stage: "site", done: 0, of: 1 });
  const schedule = createSchedule(
    plan.zones.map((zone) => zone.plan),
    options.weeks,
    startOf(options),
  );
  const cameras = planCameras(plan);
  const utm = createUtmPlane(SITE_ORIGIN);
  await writePlanFiles(out, plan, schedule, cameras, utm);
  const scenes = new SceneMaker(plan);
  const meters = plan.zones.map((zone) => createZoneMeter(plan.ground, zone));
  const crew = openCrew(run.workers, run.signal);
  const weeks: TrueWeek[] = [];
  const pictures = cameras.map((): TrueSiteCamera["pictures"][number][] => []);
  try {
    for (const week of plan.weeks) {
      run.signal.throwIfAborted();
      const report = (stage: ProjectProgress["stage"], done: number, of: number) =>
        onProgress({ week: week.week, weeks: options.weeks, stage, done, of });
      const isShown = run.onlyWeek === undefined || run.onlyWeek === week.week;
      const folder = `week-${String(week.week).padStart(2, "0")}`;
      report("site", 0, 1);
      const scene = scenes.make(week);
      const isFlown = isShown && run.withFlights;
      const isPictured = isShown && run.withCameras && cameras.length > 0;
      const of = (isFlown ? week.captures.length : 0) + (isPictured ? cameras.length : 0);
      const rendering: Promise<unknown>[] = [];
      if (of > 0) {
        const unpainted = scene.assemble();
        await paintScene(crew, unpainted, (painted, all) => report("texture", painted, all));
        let done = 0;
        const count = () => report("images", ++done, of);
        if (isFlown) rendering.push(flyWeek(crew, plan, week, unpainted, out, folder, count));
        for (const [i, camera] of isPictured ? cameras.entries() : []) {
          rendering.push(
            takePicture(crew, plan, week, unpainted, camera, i, out, folder).then((picture) => {
              pictures[i]?.push(picture);
              count();
            }),
          );
        }
      }
      const rendered = Promise.all(rendering);
      // It is awaited after what this thread does meanwhile; a failure waits until then.
      rendered.catch(() => undefined);
      const surface = isShown
        ? await writeWeekSurface(out, folder, scene.heights, [...scene.works, ...scene.others], utm)
        : undefined;
      const measured = measureWeek(plan, schedule, week, meters, scene.others);
      await rendered;
      weeks.push({
        ...measured,
        ...(isFlown && {
          flight: {
            folder: `${folder}/flight`,
            images: week.captures.map(({ name }) => `${folder}/flight/${name}`),
          },
        }),
        ...(surface !== undefined && { surface }),
      });
    }
  } finally {
    await crew.close();
  }
  const truth = createProjectTruth(plan, meters, weeks, cameras, pictures);
  await writeFile(join(out, "truth.json"), `${JSON.stringify(truth, undefined, 1)}\n`);
  return truth;
}
