import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { Type } from "typebox";
import { HOUR_MS } from "../../domain/time.ts";
import { SimulatorError } from "../command-line/simulator-error.ts";
import { geodeticPosition } from "../survey/coordinates/wgs84.ts";
import { NO_DATA } from "../survey/files/height-raster.ts";
import { runSurvey } from "../survey/run.ts";
import { createHeightField, nodeFrame } from "../survey/scene/height-field.ts";
import { groundCellM } from "../survey/scene/scene.ts";
import { createSurfaceSampler } from "../survey/scene/surface-sampler.ts";
import { type Pile, pileOutline } from "../survey/site/pile.ts";
import { planSurvey, type SurveyPlan } from "../survey/site/plan-survey.ts";
import { SURFACE_CELL_M, writeUtmSurface } from "../survey/truth/truth-raster.ts";
import { DEMO, YARD_ORIGIN, yardSurvey } from "./demo-plan.ts";
import { type DemoWork, followJob } from "./demo-service.ts";

const Project = Type.Object({ created_at: Type.String() });
const Measurements = Type.Object({
  data: Type.Array(Type.Object({ measured_at: Type.String() })),
});
const StartedJob = Type.Object({ id: Type.String() });

/** The stockpile of the demo's yard, which is there. */
export interface DemoYard {
  /** When the yard was made, ms since the Unix epoch. */
  readonly startedMs: number;
}

/**
 * Makes the yard and its stockpile unless they are there.
 * @returns `undefined` where somebody removed them
 */
export async function openYard({ service, say }: DemoWork): Promise<DemoYard | undefined> {
  say("gravel yard");
  const hasYard = await service.provide("/projects", DEMO.yard, {
    name: "Demo gravel yard (simulated)",
    location: { latitude: YARD_ORIGIN.latDeg, longitude: YARD_ORIGIN.lonDeg },
    time_zone: "Europe/London",
  });
  if (!hasYard) return undefined;
  const { created_at } = await service.read(`/projects/${DEMO.yard}`, Project);
  const startedMs = Date.parse(created_at);
  const hasPile = await service.provide("/materials/stockpiles", DEMO.stockpile, {
    project_id: DEMO.yard,
    material: "Demo gravel 16/32",
    location: "Simulated yard, bay 1",
    max_capacity_m3: 400,
    density_t_per_m3: 1.6,
    footprint: outlineOf(planSurvey(yardSurvey(startedMs, 1))),
  });
  return hasPile ? { startedMs } : undefined;
}

/** Ground beyond the pile that a given surface has: the ring of its base, metres. */
const MARGIN_M = 3;

/** Measures the first flight over the yard by the true surface about its heap, unless it was measured. */
export async function measureSurface(work: DemoWork, { startedMs }: DemoYard): Promise<void> {
  const { service, folder } = work;
  const say = (percent: number) => work.say(`first survey of the gravel: ${percent} %`);
  const plan = planSurvey(yardSurvey(startedMs, 1));
  if (await isMeasured(work, plan)) return;
  say(0);
  await mkdir(folder, { recursive: true });
  const file = "demo-gravel-simulated.tif";
  await writePileSurface(folder, file, plan, gravelOf(plan));
  const images = await service.upload(DEMO.yard, [
    { name: file, bytes: new Uint8Array(await readFile(join(folder, file))) },
  ]);
  await measure(work, { images, flown_at: new Date(plan.startMs).toISOString() }, say);
  await rm(join(folder, file), { force: true });
}

/**
 * Measures the second flight by its photographs, which are drawn first, unless it was measured. What was drawn
 * before an interrupt is drawn again.
 */
export async function measurePhotographs(work: DemoWork, { startedMs }: DemoYard): Promise<void> {
  const { service } = work;
  const say = (what: string, percent: number) =>
    work.say(`second survey of the gravel: ${what} ${percent} %`);
  const options = yardSurvey(startedMs, 2);
  if (await isMeasured(work, planSurvey(options))) return;
  const out = join(work.folder, "flight");
  await rm(out, { recursive: true, force: true });
  say("photographs", 0);
  await runSurvey(options, {
    out,
    workers: 0,
    signal: new AbortController().signal,
    onProgress: ({ stage, done, of }) => {
      // The texture takes about as long as the photographs.
      const share =
        stage === "texture" ? done / of / 2 : stage === "images" ? (1 + done / of) / 2 : 0;
      if (stage === "texture" || stage === "images") say("photographs", Math.floor(100 * share));
    },
  });
  const names = (await readdir(out)).filter((name) => name.endsWith(".JPG")).sort();
  const files = await Promise.all(
    names.map(async (name) => ({
      name,
      bytes: new Uint8Array(await readFile(join(out, name))),
    })),
  );
  const images = await service.upload(DEMO.yard, files);
  await measure(work, { images }, (percent) => say("measuring", percent));
  await rm(out, { recursive: true, force: true });
}

/** A flight lasts for some minutes, and its newest image counts; the next one is a week later. */
const FLIGHT_LASTS_MS = HOUR_MS;

/** Whether there is a measurement of that flight. */
async function isMeasured({ service }: DemoWork, { startMs }: SurveyPlan): Promise<boolean> {
  const path = `/materials/stockpiles/${DEMO.stockpile}/measurements?limit=1000`;
  const { data } = await service.read(path, Measurements);
  return data.some(
    ({ measured_at }) => Math.abs(Date.parse(measured_at) - startMs) < FLIGHT_LASTS_MS,
  );
}

async function measure(
  { service }: DemoWork,
  body: object,
  say: (percent: number) => void,
): Promise<void> {
  const path = `/materials/stockpiles/${DEMO.stockpile}/measure`;
  const { id } = await service.post(path, body, StartedJob, { prefer: "respond-async" });
  await followJob(service, id, say);
}

/** The heap that is measured: the yard's first, which loaders bite into before the second flight. */
export function gravelOf({ site }: SurveyPlan): Pile {
  const [pile] = site.piles;
  if (pile === undefined) throw new SimulatorError("the demo's yard has no heap");
  return pile;
}

/** The heap's outline as the API takes it. */
function outlineOf(plan: SurveyPlan): [lat: number, lon: number][] {
  return pileOutline(gravelOf(plan)).map((place) => {
    const { latDeg, lonDeg } = geodeticPosition(YARD_ORIGIN, { ...place, upM: 0 });
    return [Number(latDeg.toFixed(9)), Number(lonDeg.toFixed(9))];
  });
}

async function writePileSurface(
  out: string,
  file: string,
  plan: SurveyPlan,
  { centre, reachM }: Pile,
): Promise<void> {
  const heights = createHeightField(plan.site, nodeFrame(plan.extentM, groundCellM(plan.gsdM)));
  const surface = createSurfaceSampler(plan.site.solids, heights);
  const halfM = reachM + MARGIN_M;
  const cells = Math.round((2 * halfM) / SURFACE_CELL_M);
  const frame = {
    westM: centre.eastM - halfM,
    northM: centre.northM + halfM,
    width: cells,
    height: cells,
  };
  const at = (eastM: number, northM: number) => surface(eastM, northM) ?? NO_DATA;
  await writeUtmSurface(out, file, frame, at, YARD_ORIGIN);
}
